from documents import Archive, Document, User
from web import delete_page


def archive():
    a = Archive()
    a.add(Document(1, "Plan", "ann", 2010))
    a.add(Document(2, "Map", "bob", 2024))
    return a


def test_expire_in_the_name_of_a_clerk():
    a = archive()
    assert a.expire(User("clerk"), before=2020) == 1
    assert list(a.documents) == [2]
    assert a.log == ["clerk deleted Plan"]


def test_page_is_for_owners_and_admins():
    a = archive()
    assert delete_page(a, User("ann"), 2)[0] == 403
    assert delete_page(a, User("root", admin=True), 2)[0] == 200
