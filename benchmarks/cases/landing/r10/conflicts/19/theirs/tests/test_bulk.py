from bulk import Outcome, bulk_delete
from documents import Archive, Document, Forbidden, User


class Locked(Archive):
    def delete(self, user, number):
        raise Forbidden("locked")


def test_own_documents_are_deleted():
    archive = Archive()
    for number in (1, 2, 3):
        archive.add(Document(number, f"Plan {number}", "ann"))
    outcome = bulk_delete(archive, User("ann"), [1, 3, 3, 9])
    assert outcome == Outcome(deleted=[1, 3], missing=[9])
    assert list(archive.documents) == [2]


def test_refused_documents_are_reported():
    assert bulk_delete(Locked(), User("ann"), [4, 5]).refused == [4, 5]


def test_summary():
    assert Outcome([1], [2, 3], [4]).summary() == "1 deleted, 2 not yours, 1 not found"
