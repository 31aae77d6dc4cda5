from html import escape

from pages.html import tag


def show(comments):
    parts = []
    for comment in comments:
        parts.append(tag("p", escape(comment["text"]), cls="comment"))
    return "\n".join(parts)
