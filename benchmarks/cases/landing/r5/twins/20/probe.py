from alerts import channel
from alerts.recovery import on_recovery

on_recovery({"name": "backup", "owner": "ann"}, {"backup"})
assert channel.SENT == [("ann", "backup works again")], channel.SENT
