"""Everything about addresses of pages."""
import re
import unicodedata


def slugify(title):
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def page_url(title, section=""):
    return "/".join(["", *filter(None, [slugify(section), slugify(title)]), ""])
