"""Accounts and their roles."""
ROLES = {
    "ann": ["admin", "editor"],
    "bob": ["editor"],
    "eve": [],
}


def roles_of(user):
    return list(ROLES.get(user, []))


def may(user, role):
    return role in roles_of(user)


def grant(user, role):
    roles = ROLES.setdefault(user, [])
    if role not in roles:
        roles.append(role)
