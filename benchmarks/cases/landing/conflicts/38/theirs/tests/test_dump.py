from dump import dump


def test_dump():
    assert dump(['a', 'b']).count('a') == 1
