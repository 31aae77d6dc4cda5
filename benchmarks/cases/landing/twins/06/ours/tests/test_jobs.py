from jobs import nightly


def test_nightly():
    assert nightly().deadline == 30
