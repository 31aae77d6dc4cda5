from forum.comments import Comment, page


def test_tags_in_comments_are_text():
    assert Comment(2, "kim", "<b>1 & 2</b>").context()["body"] == "&lt;b&gt;1 &amp; 2&lt;/b&gt;"


def test_page():
    assert page("Tea", [Comment(1, " kim ", "hello")]) == (
        "<h1>Tea</h1>\n<article id=c1><h3>kim</h3><p>hello</p></article>"
    )
