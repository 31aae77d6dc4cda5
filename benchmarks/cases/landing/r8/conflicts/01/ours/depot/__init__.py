"""Stock keeping for the web shop."""
