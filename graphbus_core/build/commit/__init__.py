"""From an agreed diff to proven source, or nothing at all."""
