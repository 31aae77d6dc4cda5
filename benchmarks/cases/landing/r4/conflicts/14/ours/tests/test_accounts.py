import accounts


def test_may():
    assert accounts.may("ann", "admin")
    assert not accounts.may("bob", "admin")
    assert not accounts.may("nobody", "editor")


def test_grant():
    accounts.grant("eve", "author")
    assert accounts.may("eve", "author")
