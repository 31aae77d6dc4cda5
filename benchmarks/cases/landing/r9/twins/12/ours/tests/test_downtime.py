from deploy import backup, upgrade
from deploy.host import Host


def test_up_during_backup(monkeypatch):
    states = []
    take = backup.take
    monkeypatch.setattr(backup, "take", lambda host: states.append(host.running) or take(host))
    host = Host()
    host.put("a", "v1:x")
    assert upgrade.upgrade(host, 2)["data"] == {"a": "v1:x"}
    assert states == [True]
