from labels import label
from places import lookup


def test_state_is_spelled_out():
    assert lookup("59601") == {"city": "Helena", "state": "Montana"}


def test_label_has_the_full_state_name():
    assert label("Ann", "1 Pine St", "97201").split("\n")[2:] == ["Portland, Oregon", "97201"]
