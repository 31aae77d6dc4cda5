from alerts import recovery


def test_recovery(monkeypatch):
    sent = []
    monkeypatch.setattr(recovery, "notify", lambda who, text: sent.append((who, text)))
    failing = {"backup"}
    job = {"name": "backup", "owner": "ann"}
    assert recovery.on_recovery(job, failing)
    assert not recovery.on_recovery(job, failing)
    assert sent == [("ann", "backup works again")]
