from forum.comments import Comment, page


def test_page():
    assert page("Tea", [Comment(1, " kim ", "hello")]) == (
        "<h1>Tea</h1>\n<article id=c1><h3>kim</h3><p>hello</p></article>"
    )
