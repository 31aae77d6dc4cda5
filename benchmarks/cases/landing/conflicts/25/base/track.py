def find(stops, name):
    for i, stop in enumerate(stops):
        if stop == name:
            return i
    return None


def serves(stops, name):
    return find(stops, name) is not None
