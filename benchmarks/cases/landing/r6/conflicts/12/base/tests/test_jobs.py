from jobs import Copy


def test_copy():
    target = []
    job = Copy([1, 2], target)
    assert job.run() == 2
    assert target == [1, 2]
    assert job.log == ["copied 2"]
