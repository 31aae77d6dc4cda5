from cookbook.routes import merge
from cookbook.service import Book, Forbidden, User

book = Book()
book.add("soup", ["boil"])
book.add("stew", ["simmer"])
try:
    merge(book, User("vi"), "soup", "stew")
except Forbidden:
    pass
assert sorted(book.recipes) == ["soup", "stew"], book.recipes
