"""Feeds."""

import text


def feed_title(title):
    return text.shorten(title, 5)


def feed_path(title):
    return "/feed/" + text.slugify(title)
