import names


def same(a, b):
    return names.strip_title(a) == names.strip_title(b)


def add(roster, name):
    roster.append(name)
    return roster
