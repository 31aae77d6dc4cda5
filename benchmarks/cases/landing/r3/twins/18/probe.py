from contacts.book import Book

zoe = {"name": "Zoe Ångström"}
assert Book([zoe]).find("ANGSTROM") == [zoe]
