"""The seal: what was not written by this user on this machine is not believed."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from graphbus_core.build import BuildConfig, build_project
from graphbus_core.build.scan.cache import PURPOSE
from graphbus_core.files import seal


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(seal, "_folders", lambda: iter([tmp_path / "state"]))
    return tmp_path / "state"


def test_bytes_come_back_and_altered_ones_do_not(place: Path) -> None:
    """Each byte counts, of the seal and of what it seals; a purpose does not open another's."""
    mine = seal.seal_for("a")
    assert mine is not None
    content = mine.put(b"body\n\x00")
    assert mine.take(content) == b"body\n\x00"
    for at in range(len(content)):
        assert mine.take(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]) is None
        assert mine.take(content[:at]) is None
    assert mine.take(content + b"x") is None
    other = seal.seal_for("b")
    assert other is not None
    assert other.take(content) is None
    assert seal.machine_seal().take(content) is None


def test_the_key_is_made_once_for_this_user_alone(place: Path) -> None:
    """The next process finds the same key."""
    first = seal.seal_for("a")
    assert first == seal.seal_for("a")
    assert stat.S_IMODE((place / seal.NAME).stat().st_mode) == 0o600
    assert sorted(p.name for p in place.iterdir()) == [seal.NAME]


def test_without_a_place_there_is_no_seal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sealed with a key that everybody has."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(seal, "_folders", lambda: iter([tmp_path / "file"]))
    assert seal.seal_for("a") is None


@pytest.mark.parametrize("call", ["write", "fsync", "link", "open", "unlink"])
def test_a_disk_that_fails_leaves_no_half_key(place: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """Whatever call fails: no seal now, and the next time one with a whole key."""

    def fails(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as m:
        m.setattr(seal.os, call, fails)
        assert seal.seal_for("a") is None
    again = seal.seal_for("a")
    assert again is not None
    assert len((place / seal.NAME).read_bytes()) == seal.LENGTH


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    """Eight first runs at once: one key."""
    ask = "from graphbus_core.files.seal import machine_seal; print(machine_seal().of(b'x').decode())"
    env = {"XDG_STATE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    runs = [subprocess.Popen([sys.executable, "-c", ask], env=env, stdout=subprocess.PIPE) for _ in range(8)]
    assert len({run.communicate(timeout=60)[0] for run in runs}) == 1


SOURCE = """
from graphbus_core import GraphBusNode, schema_method


class Speaker(GraphBusNode):
    SYSTEM_PROMPT = "I say what I was built to say."

    @schema_method(input_schema={}, output_schema={"said": str})
    def say(self):
        return {"said": "built"}
"""


@pytest.mark.parametrize("resealed", ["not", "by another key"])
def test_an_edited_line_of_the_scan_cache_does_not_get_into_a_build(tmp_path: Path, resealed: str) -> None:
    """It is read again from the source, whose digest the line still names."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "speaker.py").write_text(SOURCE)
    config = BuildConfig(root_package=str(tmp_path / "agents"), output_dir=str(tmp_path / ".graphbus"))
    build_project(config)
    agents = tmp_path / ".graphbus" / "agents.json"
    before = agents.read_bytes()
    (cache,) = (tmp_path / ".graphbus" / "cache").glob("scan*")
    mine = seal.seal_for(PURPOSE)
    assert mine is not None
    body = mine.take(cache.read_bytes())
    assert body is not None
    altered = body.replace(b"I say what I was built to say.", b"PWNED")
    assert altered != body
    cache.write_bytes(mine.of(body) + b"\n" + altered if resealed == "not" else seal.Seal((b"k" * 32,)).put(altered))
    build_project(config)
    assert json.loads(agents.read_bytes()) == json.loads(before)
    assert mine.take(cache.read_bytes()) == body  # and the next build has a cache again


def test_what_the_scan_cache_holds_is_used(tmp_path: Path) -> None:
    """The proof that the test above looks at something: the same edit under our own seal is believed."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "speaker.py").write_text(SOURCE)
    config = BuildConfig(root_package=str(tmp_path / "agents"), output_dir=str(tmp_path / ".graphbus"))
    build_project(config)
    (cache,) = (tmp_path / ".graphbus" / "cache").glob("scan*")
    mine = seal.seal_for(PURPOSE)
    assert mine is not None
    body = mine.take(cache.read_bytes())
    assert body is not None
    cache.write_bytes(mine.put(body.replace(b"I say what I was built to say.", b"edited")))
    build_project(config)
    assert b"edited" in (tmp_path / ".graphbus" / "agents.json").read_bytes()
