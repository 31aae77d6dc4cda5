from disk import usage

LIMIT_MIB = {"student": 5, "staff": 50}


def over_quota(homes, groups):
    """Owners that use more than their group's limit allows."""
    late = []
    for owner, used in sorted(usage.by_owner(homes).items()):
        if used / 1024 > LIMIT_MIB[groups[owner]]:
            late.append(owner)
    return late
