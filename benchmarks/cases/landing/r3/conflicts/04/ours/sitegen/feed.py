"""An Atom feed of the newest posts."""
from sitegen.helpers import escape, slugify


def entry(post, site):
    return (f"<entry><id>{site}/{slugify(post['title'])}</id>"
            f"<title>{escape(post['title'])}</title><updated>{post['date']}T00:00:00Z</updated></entry>")


def feed(posts, site, limit=20):
    newest = sorted(posts, key=lambda post: post["date"], reverse=True)[:limit]
    return "<feed>" + "".join(entry(post, site) for post in newest) + "</feed>"
