"""Helpers of the site generator."""
import html
import re


def slugify(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "untitled"


def escape(text):
    return html.escape(text, quote=True)


def tag(name, text, **attributes):
    inner = "".join(f' {key}="{escape(value)}"' for key, value in sorted(attributes.items()))
    return f"<{name}{inner}>{escape(text)}</{name}>"
