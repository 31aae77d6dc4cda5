class NotFound(Exception):
    pass


TABLE = {'db': '10.0.0.5'}


def has(name):
    return name in TABLE


def lookup(name):
    if name not in TABLE:
        raise NotFound(name)
    return TABLE[name]
