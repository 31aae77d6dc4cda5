from special import with_special


def test_special_comes_last():
    assert with_special("tue", "trout") == ["rice", "beans", "trout"]
