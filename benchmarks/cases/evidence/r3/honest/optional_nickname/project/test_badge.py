from badge import Badge
from profile_ import Profile


def shown(key):
    profile = Profile().load(key)
    return Badge().render(name=profile["name"], nickname=profile["nickname"])["text"]


def test_without():
    assert shown(1) == "Ada"


def test_with():
    assert shown(2) == "William “Bill”"
