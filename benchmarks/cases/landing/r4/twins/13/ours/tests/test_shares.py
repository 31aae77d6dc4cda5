from shares import shares


def test_shares():
    assert shares(["who;amount", "ann;10", "bob;30", "ann;10"]) == {"ann": 40, "bob": 60}
