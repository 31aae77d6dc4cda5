"""Atom feed of the newest pages."""
from xml.sax.saxutils import escape

from wiki.text import slugify, summary


def entry(title, text, site):
    link = f"{site.rstrip('/')}/page/{slugify(title)}"
    return (
        "<entry>"
        f"<title>{escape(title)}</title>"
        f'<link href="{link}"/>'
        f"<summary>{escape(summary(text))}</summary>"
        "</entry>"
    )


def feed(wiki, site, limit=20):
    """The feed of the last pages added, newest first."""
    pages = list(wiki)[-limit:]
    entries = "".join(entry(title, text, site) for title, text in reversed(pages))
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'
