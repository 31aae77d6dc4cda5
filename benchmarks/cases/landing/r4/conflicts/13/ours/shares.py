"""Who pays what part of the whole."""
from reader import read_rows


def shares(lines):
    """-> {who: percent}, rounded."""
    rows = read_rows(lines)
    whole = sum(float(row["amount"]) for row in rows)
    parts = {}
    for row in rows:
        parts[row["who"]] = parts.get(row["who"], 0) + float(row["amount"])
    return {who: round(100 * part / whole) for who, part in parts.items()}
