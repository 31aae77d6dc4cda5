from collections import namedtuple

from dag import Dag
from task import Task

Run = namedtuple("Run", "logical_date interval_end")


def main():
    run = Run(**Dag().next_run())
    print(Task().render(execution_date=run.logical_date)["path"])


if __name__ == "__main__":
    main()
