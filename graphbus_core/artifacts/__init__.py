"""The `.graphbus/` folder: its format, written and read."""
