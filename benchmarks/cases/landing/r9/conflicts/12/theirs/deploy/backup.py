def take(host):
    """A copy of what is on disk."""
    snapshot = {
        "version": host.version,
        "data": dict(host.data),
        "sessions": dict(host.saved_sessions),
    }
    return snapshot


def restore(host, snapshot):
    host.version = snapshot["version"]
    host.data = dict(snapshot["data"])
    # backups of last year have none
    host.sessions = dict(snapshot.get("sessions", {}))
