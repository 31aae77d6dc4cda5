"""Users."""

USERS = {"ann": 3}


def find(name):
    return USERS.get(name)
