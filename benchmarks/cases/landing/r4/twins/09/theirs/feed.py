"""The Atom feed's entries."""
from helpers import slugify
from pages import path_of


def entry(post, site="https://example.org"):
    return {
        "id": "tag:example.org," + slugify(post["title"]),
        "link": site + path_of(post),
        "updated": post["day"].isoformat(),
    }
