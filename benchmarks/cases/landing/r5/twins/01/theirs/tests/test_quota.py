from disk import quota


def test_over_quota(monkeypatch):
    monkeypatch.setattr(quota.usage, "by_owner", lambda homes: {"ann": 6000, "bo": 100, "cy": 6000})
    groups = {"ann": "student", "bo": "student", "cy": "staff"}
    assert quota.over_quota([], groups) == ["ann"]
