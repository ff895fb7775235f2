"""Reports: text, tables, pictures and JSON documents."""
