def tag(name, body, cls=None):
    """An element; the caller escapes the body."""
    attr = f' class="{cls}"' if cls else ""
    return f"<{name}{attr}>{body}</{name}>"
