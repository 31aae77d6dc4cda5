TABLE = {'db': '10.0.0.5'}


def has(name):
    return name in TABLE


def lookup(name):
    if name not in TABLE:
        raise KeyError(name)
    return TABLE[name]
