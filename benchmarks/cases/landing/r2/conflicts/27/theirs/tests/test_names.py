from model_names import table


def test_table():
    assert table("a b") == "a_bs"
