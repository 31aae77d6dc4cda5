import os, tempfile
from crm.bulk import import_people
from crm.people import names

with tempfile.TemporaryDirectory() as d:
    db = os.path.join(d, "crm.db")
    import_people(db, "ann\nbo\n")
    assert names(db) == ["ann", "bo"], names(db)
