from links import link
from post import Post


def test_link():
    assert link(Post("News", "")) == "/posts/news"
