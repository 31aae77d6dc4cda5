"""What may be said, and how it is read."""
