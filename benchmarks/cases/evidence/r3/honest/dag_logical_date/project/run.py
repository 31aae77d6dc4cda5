from pipeline.partitioner import Partitioner
from pipeline.scheduler import Scheduler


def main(days=3):
    scheduler, partitioner = Scheduler(), Partitioner()
    for _ in range(days):
        run = scheduler.next_run()
        where = partitioner.path(execution_date=run["logical_date"])
        print(run["run_id"], "->", where["path"])


if __name__ == "__main__":
    main()
