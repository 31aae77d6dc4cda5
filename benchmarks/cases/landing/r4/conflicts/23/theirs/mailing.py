"""Mail to several groups at once."""


def recipients(groups):
    """Everybody in any of the groups, once, in order."""
    seen, found = set(), []
    for group in groups:
        for contact in group.members:
            if contact not in seen:
                seen.add(contact)
                found.append(contact)
    return found
