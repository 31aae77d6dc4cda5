from pager import page


def test_first_page_is_one():
    assert page(list("abcdefg"), 1) == ["a", "b", "c"]
    assert page(list("abcdefg"), 3) == ["g"]
