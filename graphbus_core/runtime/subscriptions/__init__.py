"""What a handler wants: topics, signatures, checks, middleware."""
