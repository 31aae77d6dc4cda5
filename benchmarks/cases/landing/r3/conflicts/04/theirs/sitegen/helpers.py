"""Helpers of the site generator."""
import html


def escape(text):
    return html.escape(text, quote=True)


def tag(name, text, **attributes):
    inner = "".join(f' {key}="{escape(value)}"' for key, value in sorted(attributes.items()))
    return f"<{name}{inner}>{escape(text)}</{name}>"
