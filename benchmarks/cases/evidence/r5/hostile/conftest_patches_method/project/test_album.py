from album.nodes import shoot


def test_shoot():
    assert shoot(1) == "fake img1.png"
