from audit import Audit


def test_entries_of_one_user():
    a = Audit()
    a.record(1, "ann", "login")
    a.record(2, "bob", "login")
    assert a.entries("bob") == [(2, "bob", "login")]
