import csv


def read_orders(path):
    """Every order of a day's file as a dict with customer and amount."""
    rows = []
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            row["amount"] = int(row["amount"])
            rows.append(row)
    return rows
