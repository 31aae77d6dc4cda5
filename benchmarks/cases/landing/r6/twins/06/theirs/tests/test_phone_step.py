from steps import phone


def test_adds_phone():
    db = {"users": ["name"]}
    phone.up(db)
    assert db["users"] == ["name", "phone"]
