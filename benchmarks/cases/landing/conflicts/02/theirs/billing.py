from pages import parse_range


def pages_billed(text):
    lo, hi = parse_range(text)
    return hi - lo + 1
