import csv
import io
from pathlib import Path

from budget import Budget
from census import Census


def test_csv():
    row = Census().row("Ulm")
    out = io.StringIO()
    writer = csv.DictWriter(out, list(row), lineterminator="\n")
    writer.writeheader()
    writer.writerow(row)
    assert out.getvalue() == Path("golden.csv").read_text()


def test_grant():
    row = Census().row("Ulm")
    assert Budget().grant(town=row["town"], population=row["inhabitants"])["eur"] == 9000
