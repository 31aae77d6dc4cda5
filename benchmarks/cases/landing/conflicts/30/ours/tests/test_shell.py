from shell import Shell


def test_list():
    assert Shell().run('list') == 'a'
