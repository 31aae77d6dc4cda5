import accounts


def test_roles():
    assert accounts.roles_of("ann") == ["admin", "editor"]
    assert accounts.roles_of("nobody") == []
