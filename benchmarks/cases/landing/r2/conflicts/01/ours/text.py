"""Text."""


def make_slug(title):
    return title.lower().replace(" ", "-")


def shorten(title, size):
    return title[:size]
