"""Facts about one trim that rules read: evidence, views of a list, faults of a list, traces."""
