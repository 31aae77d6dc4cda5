from pager import page


def test_no_page_before_the_first():
    assert page(list("abcdefg"), -1) == ["a", "b", "c"]
    assert page(list("abcdefg"), 2) == ["g"]
