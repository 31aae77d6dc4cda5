from certificate import Certificate
from quiz import Quiz


def test_positional():
    g = Quiz().grade("bo")
    assert Certificate().print_for(g["name"], g["points"])["text"] == "bo: 4 points"
