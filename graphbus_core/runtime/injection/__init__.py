"""What a node is given: its arguments, its memory, and what it may do."""
