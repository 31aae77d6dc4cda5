from net import health


def test_healthy(monkeypatch):
    def fake(url, **options):
        if "down" in url:
            raise OSError
        return "OK\n" if "up" in url else "no"
    monkeypatch.setattr(health, "request", fake)
    assert health.healthy(["up1", "down", "odd"]) == ["up1"]
