"""Source to agent definitions, without importing it where that is possible."""
