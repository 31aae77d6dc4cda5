from migrate import migrate


def test_from_scratch():
    db = migrate({})
    assert db["users"][0] == "name"


def test_again_changes_nothing():
    db = migrate({})
    before = repr(db)
    assert repr(migrate(db)) == before
