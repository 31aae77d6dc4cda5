from job import Job


def test_failed():
    j = Job('x', 2)
    assert j.failed() and not j.failed()
