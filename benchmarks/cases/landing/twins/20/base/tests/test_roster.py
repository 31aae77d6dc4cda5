from roster import add


def test_add():
    assert add([], 'Bo') == ['Bo']
