import names


def same(a, b):
    return names.normalise(a) == names.normalise(b)


def add(roster, name):
    roster.append(name)
    return roster
