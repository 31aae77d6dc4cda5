"""The room that touches the disk."""
