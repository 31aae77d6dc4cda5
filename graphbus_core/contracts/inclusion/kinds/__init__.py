"""One file a JSON type: what a set of values of it is."""
