from directory import Directory
from greeter import Greeter


def test_login():
    found = Directory().lookup(7)
    assert Greeter().greet(user=found["login"])["line"].startswith("Welcome")
