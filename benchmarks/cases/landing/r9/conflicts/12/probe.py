from deploy.backup import restore
from deploy.host import Host
from deploy.upgrade import upgrade

host = Host({"lang": "de"})
host.sessions["s1"] = "ann"
host.put("a", "v1:x")
snapshot = upgrade(host, 2)
restore(host, snapshot)
assert host.data == {"a": "v1:x"}
assert host.sessions == {"s1": "ann"}, host.sessions
