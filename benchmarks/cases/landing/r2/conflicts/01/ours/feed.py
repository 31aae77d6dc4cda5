"""Feeds."""

import text


def feed_title(title):
    return text.shorten(title, 5)
