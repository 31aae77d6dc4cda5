def take(host):
    """A copy of what is on disk."""
    snapshot = {
        "version": host.version,
        "data": dict(host.data),
    }
    return snapshot


def restore(host, snapshot):
    host.version = snapshot["version"]
    host.data = dict(snapshot["data"])
