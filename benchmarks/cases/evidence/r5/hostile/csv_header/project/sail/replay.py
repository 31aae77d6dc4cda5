import csv
from pathlib import Path

from sail.nodes import Log


def replay(path):
    with Path(path).open(newline="") as f:
        for row in csv.DictReader(f):
            yield Log().note(**{k: float(v) if v[0].isdigit() else v for k, v in row.items()})["line"]
