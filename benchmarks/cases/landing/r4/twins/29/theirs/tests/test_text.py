from contact import contact


def test_says_what_is_wrong():
    assert contact({"name": "Ann"}) == (400, "Please: mail has no @")
