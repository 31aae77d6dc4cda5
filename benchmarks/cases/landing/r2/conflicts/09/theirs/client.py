"""A client."""


def fetch(key):
    return {"key": key, "size": len(key)}
