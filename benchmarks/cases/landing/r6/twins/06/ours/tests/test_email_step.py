from steps import email


def test_adds_email():
    db = {"users": ["name"]}
    email.up(db)
    assert db["users"] == ["name", "email"]
