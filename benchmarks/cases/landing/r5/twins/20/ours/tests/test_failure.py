from alerts import channel
from alerts.failure import on_failure


def test_failure():
    channel.SENT.clear()
    on_failure([{"name": "backup", "owner": "ann"}])
    assert channel.SENT == [("ann", "backup failed")]
