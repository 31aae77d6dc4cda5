from forum.comments import Comment, page


def test_bodies_are_normal():
    assert Comment(2, "kim", "e\u0301").context()["body"] == "\u00e9"


def test_page():
    assert page("Tea", [Comment(1, " kim ", "hello")]) == (
        "<h1>Tea</h1>\n<article id=c1><h3>kim</h3><p>hello</p></article>"
    )
