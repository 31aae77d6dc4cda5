from bulk import bulk_delete
from documents import Archive, Document, User

archive = Archive()
archive.add(Document(1, "Plan", "ann"))
archive.add(Document(2, "Map", "bob"))
outcome = bulk_delete(archive, User("ann"), [1, 2])
assert (outcome.deleted, outcome.refused) == ([1], [2]), outcome
assert list(archive.documents) == [2], archive.documents
