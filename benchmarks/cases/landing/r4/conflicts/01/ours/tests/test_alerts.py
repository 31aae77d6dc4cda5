import alerts


def test_via():
    alerts.OUTBOX.clear()
    alerts.send_alert("kim", "hello", via="pager")
    assert alerts.OUTBOX == [{"to": "kim", "text": "hello", "via": "pager", "urgent": False}]
