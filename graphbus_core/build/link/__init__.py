"""Agent definitions to links, graph and mismatches."""
