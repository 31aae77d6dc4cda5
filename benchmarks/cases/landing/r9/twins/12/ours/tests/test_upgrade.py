from deploy.backup import restore
from deploy.host import Host
from deploy.upgrade import upgrade


def test_upgrade_and_back():
    host = Host()
    host.put("a", "v1:x")
    snapshot = upgrade(host, 2)
    assert host.running and host.version == 2
    assert host.data == {"a": "v2:x"}
    restore(host, snapshot)
    assert host.data == {"a": "v1:x"}
