"""Who may speak to the server."""
