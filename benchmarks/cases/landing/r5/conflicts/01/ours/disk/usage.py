from disk import scan


def by_owner(homes):
    """homes: list of (owner, folder). An owner may have several folders."""
    used = {}
    for owner, folder in homes:
        used[owner] = used.get(owner, 0) + scan.folder_size(folder)
    return used
