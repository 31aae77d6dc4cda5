from image import crop


def test_crop():
    assert crop('abcdef', 2) == 'cdef'
