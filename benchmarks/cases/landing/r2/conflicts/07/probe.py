import alerts
assert "high" in alerts.alert(5)
