from view import view


def test_numbers():
    got = view(list("abcdefg"), {"page": "2"})
    assert (got["page"], got["pages"]) == (2, 3)
