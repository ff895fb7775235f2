"""Rules: one module a kind of rule, and the registry."""
