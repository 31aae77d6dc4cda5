import csv


def read_orders(path):
    """Yield the orders of a day's file; files of 4 GB no longer fit in memory."""
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            row["amount"] = int(row["amount"])
            yield row
