import pytest

from social import Linker, Timeline


@pytest.mark.parametrize("who, url", [
    ("ada", "https://social.test/p/0041"),
    ("alan", "https://social.test/p/1936"),
])
def test_link(who, url):
    post = Timeline().latest(who)
    assert Linker().link(post_id=post["post_id"])["url"] == url
