"""Build, validate, inspect, undo."""
