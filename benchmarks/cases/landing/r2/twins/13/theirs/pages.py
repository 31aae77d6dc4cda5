"""Pages."""

import users


def show(name):
    found = users.find(name)
    return "nobody" if found is None else f"user {found}"
