"""Addresses of pages."""
import re
import unicodedata


def slugify(title):
    """'Über uns!' -> 'uber-uns'"""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def is_slug(text):
    return bool(text) and slugify(text) == text
