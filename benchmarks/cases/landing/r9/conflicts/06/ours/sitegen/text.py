"""Small helpers for page text."""
from sitegen import urls


def titlecase(title):
    return " ".join(word[:1].upper() + word[1:] for word in title.split())


def heading(title, level=2):
    return '<h%d id="%s">%s</h%d>' % (level, urls.slugify(title), title, level)
