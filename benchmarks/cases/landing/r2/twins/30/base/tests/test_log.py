from writer_log import write


def test_write():
    assert write("a") >= 1
