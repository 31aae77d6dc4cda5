"""Helpers of the site generator."""
import html

from sitegen.text import slugify  # noqa: F401  (themes import it from here)


def escape(text):
    return html.escape(text, quote=True)


def tag(name, text, **attributes):
    inner = "".join(f' {key}="{escape(value)}"' for key, value in sorted(attributes.items()))
    return f"<{name}{inner}>{escape(text)}</{name}>"
