from deploy import backup
from deploy.host import Host


def test_users_stay_logged_in():
    host = Host()
    host.sessions["s1"] = "ann"
    host.stop()
    snapshot = backup.take(host)
    other = Host()
    backup.restore(other, snapshot)
    assert other.sessions == {"s1": "ann"}


def test_old_backup():
    host = Host()
    backup.restore(host, {"version": 3, "data": {"a": "b"}})
    assert host.version == 3
    assert host.sessions == {}
