from backup import backup


def test_daily():
    assert backup('daily', ['a']) == 'tar:a'
