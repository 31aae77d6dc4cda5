from articles import Article


def test_net():
    assert Article("cup", 119).net() == 100
