"""Lock, log and files brought together, turn by turn."""
