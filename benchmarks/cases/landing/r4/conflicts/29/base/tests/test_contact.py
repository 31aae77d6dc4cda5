from contact import contact


def test_contact():
    assert contact({"name": " Ann ", "mail": "ann@example.org"}) == (200, "Thank you, Ann.")
    assert contact({"name": "Ann", "mail": "ann"})[0] == 400
