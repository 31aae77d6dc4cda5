from crm.db import session
from crm.people import add_person, names


def test_uncommitted_is_lost(tmp_path):
    db = tmp_path / "crm.db"
    with session(db) as conn:
        conn.execute("INSERT INTO people VALUES ('x')")
    assert names(db) == []


def test_people(tmp_path):
    db = tmp_path / "crm.db"
    add_person(db, "bo")
    add_person(db, "ann")
    assert names(db) == ["ann", "bo"]
