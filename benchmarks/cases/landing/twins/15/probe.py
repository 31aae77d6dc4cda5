from backup import backup
backup('weekly', ['a'])
