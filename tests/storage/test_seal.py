"""The seal: what was not written by this user on this machine is not believed."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from graphbus_core.analysis.scan.drafts import PURPOSE
from graphbus_core.build import BuildConfig, build_project
from graphbus_core.storage import signing


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(signing, "_list_key_folders", lambda: iter([tmp_path / "state"]))
    return tmp_path / "state"


def test_bytes_come_back_and_altered_ones_do_not(place: Path) -> None:
    """Each byte counts, of the seal and of what it seals; a purpose does not open another's."""
    mine = signing.derive_seal("a")
    assert mine is not None
    content = mine.wrap(b"body\n\x00")
    assert mine.unwrap(content) == b"body\n\x00"
    for at in range(len(content)):
        assert mine.unwrap(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]) is None
        assert mine.unwrap(content[:at]) is None
    assert mine.unwrap(content + b"x") is None
    other = signing.derive_seal("b")
    assert other is not None
    assert other.unwrap(content) is None
    assert signing.load_machine_seal().unwrap(content) is None


def test_the_key_is_made_once_for_this_user_alone(place: Path) -> None:
    """The next process finds the same key."""
    first = signing.derive_seal("a")
    assert first == signing.derive_seal("a")
    assert stat.S_IMODE((place / signing.NAME).stat().st_mode) == 0o600
    assert sorted(p.name for p in place.iterdir()) == [signing.NAME]


def test_without_a_place_there_is_no_seal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sealed with a key that everybody has."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(signing, "_list_key_folders", lambda: iter([tmp_path / "file"]))
    assert signing.derive_seal("a") is None


@pytest.mark.parametrize("call", ["write", "fsync", "link", "open", "unlink"])
def test_a_disk_that_fails_leaves_no_half_key(place: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """Whatever call fails: no seal now, and the next time one with a whole key."""

    def fails(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as m:
        m.setattr(signing.os, call, fails)
        assert signing.derive_seal("a") is None
    again = signing.derive_seal("a")
    assert again is not None
    assert len((place / signing.NAME).read_bytes()) == signing.LENGTH


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    """Eight first runs at once: one key."""
    ask = "from graphbus_core.storage.signing import load_machine_seal; print(load_machine_seal().of(b'x').decode())"
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
    mine = signing.derive_seal(PURPOSE)
    assert mine is not None
    body = mine.unwrap(cache.read_bytes())
    assert body is not None
    altered = body.replace(b"I say what I was built to say.", b"PWNED")
    assert altered != body
    cache.write_bytes(
        mine.sign(body) + b"\n" + altered if resealed == "not" else signing.Seal((b"k" * 32,)).wrap(altered)
    )
    build_project(config)
    assert json.loads(agents.read_bytes()) == json.loads(before)
    assert mine.unwrap(cache.read_bytes()) == body  # and the next build has a cache again


def test_what_the_scan_cache_holds_is_used(tmp_path: Path) -> None:
    """The proof that the test above looks at something: the same edit under our own seal is believed."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "speaker.py").write_text(SOURCE)
    config = BuildConfig(root_package=str(tmp_path / "agents"), output_dir=str(tmp_path / ".graphbus"))
    build_project(config)
    (cache,) = (tmp_path / ".graphbus" / "cache").glob("scan*")
    mine = signing.derive_seal(PURPOSE)
    assert mine is not None
    body = mine.unwrap(cache.read_bytes())
    assert body is not None
    cache.write_bytes(mine.wrap(body.replace(b"I say what I was built to say.", b"edited")))
    build_project(config)
    assert b"edited" in (tmp_path / ".graphbus" / "agents.json").read_bytes()
