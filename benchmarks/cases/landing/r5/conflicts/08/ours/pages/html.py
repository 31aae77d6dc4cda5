from html import escape


def tag(name, body, cls=None):
    """An element around plain text, which is escaped here: callers forgot it."""
    attr = f' class="{cls}"' if cls else ""
    return f"<{name}{attr}>{escape(body)}</{name}>"
