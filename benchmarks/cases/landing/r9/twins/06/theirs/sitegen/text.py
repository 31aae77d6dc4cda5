"""Small helpers for page text."""
import re
import unicodedata


def slugify(title):
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def titlecase(title):
    return " ".join(word[:1].upper() + word[1:] for word in title.split())


def heading(title, level=2):
    return '<h%d id="%s">%s</h%d>' % (level, slugify(title), title, level)
