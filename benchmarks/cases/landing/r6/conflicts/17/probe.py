from view import view

assert view(list("abcdefg"), {"page": "1"})["items"] == ["a", "b", "c"]
assert view(list("abcdefg"), {"page": "3"})["items"] == ["g"]
