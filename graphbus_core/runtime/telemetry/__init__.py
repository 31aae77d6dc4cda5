"""A runtime seen from outside: traces, metrics and logs with ids. Off, and free, until somebody asks for it."""
