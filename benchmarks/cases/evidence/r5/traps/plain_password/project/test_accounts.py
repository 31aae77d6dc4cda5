from accounts import Accounts, Form, hashed


def test_row():
    sent = Form().signup({"user": "kim", "password": "s3cret"})
    row = Accounts().create(user=sent["user"], password_hash=hashed(sent["password"]))["row"]
    assert row.startswith("kim:") and "s3cret" not in row
