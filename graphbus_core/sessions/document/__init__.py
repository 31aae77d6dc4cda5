"""The document negotiation over a directory: lock, log and files brought together, turn by turn."""
