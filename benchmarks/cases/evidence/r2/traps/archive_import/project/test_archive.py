from archive import Stacks


def test_maps_are_upstairs():
    assert Stacks().place("MA 12") == {"floor": 3}
