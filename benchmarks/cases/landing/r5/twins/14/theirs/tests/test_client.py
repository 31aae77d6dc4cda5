from net import client, feed


def test_feed(monkeypatch):
    calls = []
    monkeypatch.setattr(client, "_transport", lambda *a: calls.append(a) or "a\nb")
    assert feed.entries("u") == ["a", "b"]
    assert calls == [("u", 60, 2)]
