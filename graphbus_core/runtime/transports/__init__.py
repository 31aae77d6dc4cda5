"""Transports: how events and calls travel between nodes, in this process and beyond it."""
