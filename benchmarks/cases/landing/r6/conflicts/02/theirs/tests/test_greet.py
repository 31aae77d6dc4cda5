from directory import Directory
from greet import greet


def test_greet():
    d = Directory()
    d.add("Ann")
    assert greet(d, "Ann") == "Hello, Ann"
    assert greet(d, "Bob") == "Hello, stranger"
