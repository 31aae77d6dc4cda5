import datetime as dt

from blog.render import Post, index_entry
from blog.urls import post_url


def test_index_entry():
    post = Post("Über uns!", dt.date(2024, 3, 1), "Hello there", ("Café",))
    assert index_entry(post) == "/2024/03/uber-uns/ Hello there /tag/cafe/"


def test_post_url_is_clean():
    assert post_url("  A & B  ", dt.date(2023, 12, 31)) == "/2023/12/a-b/"
