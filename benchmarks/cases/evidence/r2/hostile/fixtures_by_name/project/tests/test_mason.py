from quarry import Mason


def test_wall(keywords):
    assert Mason().build(**keywords) == {"metres": 2.0}


def test_blocks(blocks):
    assert Mason().build(blocks=blocks)["metres"] == 2.0
