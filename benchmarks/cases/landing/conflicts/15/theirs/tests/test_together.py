def test_together():
    from backup import backup
    backup('weekly', ['a'])
