def last_action(audit, user):
    entries = audit.entries(user)
    if not entries:
        return None
    return entries[-1][2]


def is_online(audit, user):
    return last_action(audit, user) not in (None, "logout")
