"""Pages and their index."""
from sitegen.helpers import slugify, tag


def page_path(title):
    return f"/posts/{slugify(title)}.html"


def index(posts):
    newest = sorted(posts, key=lambda post: post["date"], reverse=True)
    return "\n".join(tag("a", post["title"], href=page_path(post["title"])) for post in newest)
