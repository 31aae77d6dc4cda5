"""What outlives an event: journal, dead letters, state."""
