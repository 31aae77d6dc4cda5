from simulate import simulate


def test_simulate():
    assert simulate(4) == 4
