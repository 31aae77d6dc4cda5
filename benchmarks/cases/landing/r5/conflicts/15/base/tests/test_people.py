from crm.people import add_person, names


def test_people(tmp_path):
    db = tmp_path / "crm.db"
    add_person(db, "bo")
    add_person(db, "ann")
    assert names(db) == ["ann", "bo"]
