"""Sessions: who is logged in, and as what."""
import itertools

from accounts import roles_of

_numbers = itertools.count(1)


def open_session(user, *, support=False):
    """support: a colleague from support acts for the user."""
    roles = roles_of(user)
    if support:
        roles.append("support")
    return {"id": next(_numbers), "user": user, "roles": roles}
