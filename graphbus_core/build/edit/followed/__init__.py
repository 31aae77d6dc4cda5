"""Where a field goes in code, or why nobody can tell."""
