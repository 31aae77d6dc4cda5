from documents import Archive, Document, User
from web import delete_page


def archive():
    a = Archive()
    a.add(Document(1, "Plan", "ann"))
    return a


def test_owner_deletes():
    a = archive()
    assert delete_page(a, User("ann"), 1) == (200, "deleted")
    assert a.documents == {}
    assert a.log == ["ann deleted Plan"]


def test_others_do_not():
    a = archive()
    assert delete_page(a, User("bob"), 1) == (403, "bob may not change Plan")
    assert 1 in a.documents


def test_missing():
    assert delete_page(archive(), User("ann"), 9)[0] == 404
