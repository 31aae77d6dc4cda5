from deploy import backup


def migrate(host, version):
    for key, value in host.data.items():
        host.data[key] = f"v{version}:{value.rpartition(':')[2]}"
    host.version = version


def upgrade(host, version):
    """Returns the backup, for the case that somebody wants the old version back."""
    host.stop()
    snapshot = backup.take(host)
    migrate(host, version)
    host.start()
    return snapshot
