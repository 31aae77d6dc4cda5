"""The HTTP and WebSocket front end: no logic. `graphbus serve` runs it; `docs/api.md` describes it."""
