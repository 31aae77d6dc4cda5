"""The Python client, as it is generated."""
