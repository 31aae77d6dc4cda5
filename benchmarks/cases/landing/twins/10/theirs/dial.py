from hosts import has, lookup


def address(name):
    return lookup(name) if has(name) else '127.0.0.1'
