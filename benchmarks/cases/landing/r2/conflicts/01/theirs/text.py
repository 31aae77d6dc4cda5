"""Text."""


def slugify(title):
    return title.lower().replace(" ", "-")


def shorten(title, size):
    return title[:size]
