from dags.partition import Partition
from dags.scheduler import Scheduler


def task() -> str:
    run = Scheduler().next_run()
    return Partition().path(execution_date=run.logical_date)["path"]


if __name__ == "__main__":
    print(task())
