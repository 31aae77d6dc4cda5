from cheese.agents import Cave


def test_boards(curd):
    assert Cave().ripen(cheeses=curd["wheels"])["boards"] == 3


def test_whey(curd):
    assert curd["whey"] == 900
