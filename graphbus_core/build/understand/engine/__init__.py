"""A kept type checker behind a port: `port` says what is asked, `ty` answers, `server` speaks to it."""
