from html import escape


def tag(name, body, cls=None):
    """An element; the caller escapes the body."""
    attr = f' class="{cls}"' if cls else ""
    return f"<{name}{attr}>{body}</{name}>"


def text_tag(name, body, cls=None):
    """An element around plain text, which is escaped here: callers forgot it."""
    return tag(name, escape(body), cls)
