"""Pages."""

import users


def show(name):
    try:
        return f"user {users.find(name)}"
    except LookupError:
        return "nobody"
