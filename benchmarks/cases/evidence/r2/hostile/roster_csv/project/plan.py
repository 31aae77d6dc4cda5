import csv
from pathlib import Path

from shifts import Pool, Shift

with (Path(__file__).parent / "roster.csv").open(newline="") as f:
    for row in csv.DictReader(f):
        print(Shift().assign(**row)["line"])
p = Pool().pick("22")
print(Shift().assign(person=p["worker"], hour=p["hour"])["line"])
