from track import find, serves


def fare(stops, a, b):
    if not (serves(stops, a) and serves(stops, b)):
        return 0
    return abs(find(stops, a) - find(stops, b)) * 2
