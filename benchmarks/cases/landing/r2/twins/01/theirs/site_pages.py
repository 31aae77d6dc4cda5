"""Pages."""

import text


def page_path(title):
    return "/" + text.slugify(title)
