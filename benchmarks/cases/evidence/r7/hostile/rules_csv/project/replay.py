import csv
from pathlib import Path

from garden.valve import Valve

with Path(__file__).with_name("rules.csv").open(newline="") as file:
    for row in csv.DictReader(file):
        expected, method = int(row.pop("percent")), row.pop("method")
        got = getattr(Valve(), method)(**{key: float(value) for key, value in row.items()})
        print(got["percent"] == expected)
