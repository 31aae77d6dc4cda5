"""Working on text."""
import re
import unicodedata


def slugify(title):
    """'Héllo, World!' -> 'hello-world'."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
