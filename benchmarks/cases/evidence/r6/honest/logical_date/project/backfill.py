from datetime import date

from partition import Partition
from scheduler import RunView, Scheduler

scheduler = Scheduler(date(2023, 12, 30))
print(RunView(scheduler.next_run()).execution_date)
print(Partition().write(date(2023, 12, 31))["path"])
