"""Pages of the blog."""
from helpers import pretty, slugify


def path_of(post):
    return f"/{post['day']:%Y}/{slugify(post['title'])}/"


def byline(post):
    return f"{post['author']}, {pretty(post['day'])}"
