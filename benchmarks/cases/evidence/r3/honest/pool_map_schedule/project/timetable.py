import concurrent.futures as cf

from cron import Cron
from dag import Dag


def line(dag_id: str) -> str:
    described = Dag().describe(dag_id=dag_id)
    expanded = Cron().expand(schedule_interval=described["schedule"])
    return f"{dag_id:<5}{expanded['cron']}"


if __name__ == "__main__":
    with cf.ThreadPoolExecutor() as pool:
        print(*pool.map(line, ["etl", "ping"]), sep="\n")
