from view import view


def test_first_page_has_the_first_items():
    assert view(list("abcdefg"), {})["items"] == ["a", "b", "c"]
