from comments import comment


def test_comment():
    assert comment(3, "well done") == '<p id="c3">well done</p>'
