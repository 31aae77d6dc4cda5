"""Pages."""

import text


def page_path(title):
    return "/" + text.make_slug(title)
