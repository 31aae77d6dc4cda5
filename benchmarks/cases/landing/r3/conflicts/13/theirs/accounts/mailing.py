"""Whom to write to."""


def recipients(directory, since=None):
    return sorted({account.owner for account in directory.search(since=since) if account.closed is None})
