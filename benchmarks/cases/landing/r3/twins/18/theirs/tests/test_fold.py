from contacts.book import Book


def test_long_lines_are_wrapped():
    text = Book([{"name": "A B", "notes": ["x" * 100]}]).export()
    assert max(len(line) for line in text.split("\r\n")) == 75
    assert text.replace("\r\n ", "").count("x") == 100
