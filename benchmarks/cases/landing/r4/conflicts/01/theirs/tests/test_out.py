import levels


def test_warn_out(monkeypatch):
    sent = []
    monkeypatch.setattr(levels, "alert_buyers", lambda buyers, text, **kw: sent.append((buyers, text)))
    assert levels.warn_out({"nut": (0, 5), "bolt": (2, 5)}, ["kim"]) == ["nut"]
    assert sent == [(["kim"], "OUT: nut")]
