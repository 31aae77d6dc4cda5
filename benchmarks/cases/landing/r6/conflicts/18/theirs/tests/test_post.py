from post import Post


def test_post():
    p = Post("a new day", "x" * 40)
    assert p.title == "A New Day"
    assert len(p.teaser()) == 20
