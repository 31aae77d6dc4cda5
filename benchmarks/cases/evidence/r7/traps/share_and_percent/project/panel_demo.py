from battery import Battery
from panel import Panel

status = Battery().status()
percent = status.charge * 100
print(Panel().show(percent=percent, cycles=status.cycles))
