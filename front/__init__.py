"""trimfuzz: property-based fuzzing and differential testing of context trimmers."""
