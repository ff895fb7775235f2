"""Under pytest: the plugin, conformance, sessions."""
