def find(stops, name):
    for i, stop in enumerate(stops):
        if stop == name:
            return i
    return -1


def serves(stops, name):
    return find(stops, name) >= 0
