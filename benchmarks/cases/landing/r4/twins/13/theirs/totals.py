from reader import read_rows


def total(lines):
    return sum(float(row["amount"]) for row in read_rows(lines))
