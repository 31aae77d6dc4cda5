from pathlib import Path

from ops.nodes import Deploy, Profile, with_environment


def test_staging(monkeypatch):
    for line in Path("deploy/staging.env").read_text().split():
        monkeypatch.setenv(*line.split("="))
    profile = Profile().load("prod")
    got = with_environment(Deploy().render, instances=profile["replicas"], port=profile["port"])
    assert got == {"yaml": "n: 7, p: 80"}


def test_prod():
    profile = Profile().load("prod")
    assert Deploy().render(instances=profile["replicas"], port=1) == {"yaml": "n: 3, p: 1"}
