from feed_app.api import Api
from feed_app.timeline import Timeline


def test_link_keeps_the_zeros():
    post = Api().post(42)
    assert Timeline().link(post_id=post["post_id"])["url"] == "/p/000042"
