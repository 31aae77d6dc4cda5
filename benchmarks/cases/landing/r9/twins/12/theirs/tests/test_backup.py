from deploy import backup
from deploy.host import Host


def test_settings_come_back():
    host = Host({"lang": "de"})
    host.stop()
    snapshot = backup.take(host)
    other = Host()
    backup.restore(other, snapshot)
    assert other.settings == {"lang": "de"}


def test_old_backup():
    host = Host({"lang": "fr"})
    backup.restore(host, {"version": 3, "data": {"a": "b"}})
    assert host.version == 3
    assert host.settings == {"lang": "fr"}
