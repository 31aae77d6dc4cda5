from loader import load


def test_load():
    assert load(["1", "x"]) == [1, None]
