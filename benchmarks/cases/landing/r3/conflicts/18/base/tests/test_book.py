from contacts.book import Book

ADA = {"name": "Ada Lovelace", "notes": ["x, y"]}
ZOE = {"name": "Zoe Ångström"}


def test_sorted_and_found():
    book = Book([ZOE, ADA])
    assert book.find("Love") == [ADA]


def test_export():
    assert Book([ADA]).export() == "BEGIN:CARD\r\nFN:Ada Lovelace\r\nNOTE:x\\, y\r\nEND:CARD\r\n"
