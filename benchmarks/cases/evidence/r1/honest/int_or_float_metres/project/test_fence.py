from fence import Fence, Tape


def test_north():
    assert Fence().posts(metres=Tape().measure("north")["metres"]) == {"posts": 6}
