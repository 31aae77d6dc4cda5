"""A runtime seen from outside: traces over processes, metrics that add up, logs that name their event."""
