from session import Session


def test_who():
    assert Session('eve').whoami() == 'eve'
