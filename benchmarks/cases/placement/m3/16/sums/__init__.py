"""A desk calculator split into nodes."""
