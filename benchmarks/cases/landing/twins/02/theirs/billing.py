from pages import parse_range


def pages_billed(text):
    lo, _ = parse_range(text)
    return lo > 1
