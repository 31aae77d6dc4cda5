"""How one event reaches its handlers."""
