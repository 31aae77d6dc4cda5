from deploy import backup


def migrate(host, version):
    for key, value in host.data.items():
        host.data[key] = f"v{version}:{value.rpartition(':')[2]}"
    host.version = version


def upgrade(host, version):
    """Returns the backup, for the case that somebody wants the old version back.

    The backup takes minutes, so it is made while the service is still up.
    """
    host.flush()
    snapshot = backup.take(host)
    host.stop()
    migrate(host, version)
    host.start()
    return snapshot
