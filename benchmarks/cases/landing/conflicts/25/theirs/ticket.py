from track import find


def fare(stops, a, b):
    i, j = find(stops, a), find(stops, b)
    if i is None or j is None:
        return 0
    return abs(i - j) * 2
