"""Red lines in words: read whole by one written grammar, or not applied and asked."""
