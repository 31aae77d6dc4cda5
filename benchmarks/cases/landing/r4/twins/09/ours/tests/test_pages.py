from datetime import date
from pages import byline, path_of

POST = {"title": "Hello, World!", "author": "Ada", "day": date(2024, 2, 3)}


def test_accents():
    assert path_of({**POST, "title": "Café"}) == "/2024/cafe/"


def test_pages():
    assert path_of(POST) == "/2024/hello-world/"
    assert byline(POST) == "Ada, 3 February 2024"
