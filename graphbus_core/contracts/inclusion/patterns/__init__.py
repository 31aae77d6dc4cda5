"""Regular expressions as languages."""
