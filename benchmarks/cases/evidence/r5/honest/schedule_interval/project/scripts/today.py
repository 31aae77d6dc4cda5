"""What runs today: python -m scripts.today"""

from flows.dags import DagFile, Timetable

if __name__ == "__main__":
    for dag_id in DagFile.FOUND:
        found = DagFile().read(dag_id)
        print(Timetable().next(dag_id=found["dag_id"], schedule_interval=found["schedule"])["line"])
