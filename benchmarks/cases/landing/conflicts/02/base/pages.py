def parse_range(text):
    """'3-7' -> (3, 7), both ends included."""
    lo, _, hi = text.partition('-')
    lo = int(lo)
    hi = int(hi or lo)
    return lo, hi
