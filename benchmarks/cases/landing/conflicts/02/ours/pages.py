def parse_range(text):
    """'3-7' -> (3, 8), end excluded."""
    lo, _, hi = text.partition('-')
    lo = int(lo)
    hi = int(hi or lo)
    return lo, hi + 1
