"""Users."""

USERS = {"ann": 3}


def find(name):
    if name not in USERS:
        raise LookupError(name)
    return USERS[name]
