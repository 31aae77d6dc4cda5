"""Accounts and their roles."""
ROLES = {
    "ann": ["admin", "editor"],
    "bob": ["editor"],
    "eve": [],
}


_NONE = []


def roles_of(user):
    # asked for on every request: no copying
    return ROLES.get(user, _NONE)


def may(user, role):
    return role in roles_of(user)


def grant(user, role):
    roles = ROLES.setdefault(user, [])
    if role not in roles:
        roles.append(role)
