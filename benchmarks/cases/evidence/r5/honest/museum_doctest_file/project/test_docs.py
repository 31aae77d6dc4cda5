import doctest


def test_usage():
    failed, tried = doctest.testfile("docs/usage.txt")
    assert tried == 3 and not failed
