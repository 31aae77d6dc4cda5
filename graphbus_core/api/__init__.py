"""The HTTP and WebSocket front end: no logic."""
