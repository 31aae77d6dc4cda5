"""`kill -9` of a whole `graphbus build` while it negotiates and commits: `--resume` ends with the same facts and files.

`GRAPHBUS_BUILD_KILLS` says how often; each takes a few seconds, for every build starts a process of its own.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.storage.sealed_lines import parse_object
from tests import forking

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "seed_negotiation"
KILLS = int(os.environ.get("GRAPHBUS_BUILD_KILLS", "2"))
MAIN = [sys.executable, "-m", "graphbus_core.cli.main"]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


def project(folder):
    """A fresh copy of the example."""
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".graphbus", "__pycache__"))
    return folder


def build(folder, *more):
    """The build in a process of its own."""
    command = [*MAIN, "build", "agents", "--enable-agents", "--rounds", "2", "--model", "scripted:script.yaml", *more]
    return forking.Popen(command, cwd=folder, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def came_to(folder):
    """Its facts and its files."""
    done = forking.run([*MAIN, "log", "export", "--facts"], cwd=folder, env=ENV, capture_output=True, check=True)
    return done.stdout, {p.name: p.read_bytes() for p in (folder / "agents").glob("*.py")}


def lines_of(folder):
    """How many lines the log has so far."""
    logs = [p for p in (folder / ".graphbus/negotiations").glob("*.jsonl") if ".answers" not in p.name]
    return logs[0].read_bytes().count(b"\n") if logs else 0


@pytest.mark.slow
@pytest.mark.timeout(60 + 40 * KILLS)
def test_a_killed_build_is_gone_on_with(tmp_path):
    """The same domain events and the same files as the undisturbed one, and no stored answer asked for again."""
    plain = project(tmp_path / "plain")
    assert build(plain).wait(60) == 0
    expected = came_to(plain)
    size = lines_of(plain)
    rng = random.Random(11)
    for number in range(KILLS):
        killed = project(tmp_path / f"killed{number}")
        process, until = build(killed), rng.randint(2, size - 1)
        patience = time.monotonic() + 30
        while process.poll() is None and lines_of(killed) < until and time.monotonic() < patience:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.05)
        process.kill()
        process.wait()
        said, _ = (again := build(killed, "--resume")).communicate(timeout=60)
        if "no unfinished negotiation" in said:  # it had ended in that very instant, and a new one was begun
            continue
        assert again.returncode == 0, said
        assert came_to(killed) == expected
        store = NegotiationFolder(killed / ".graphbus")
        answers = store.answers_path(store.list_builds()[-1]).read_bytes().splitlines()
        asked = [(parse_object(line) or {})["ask"] for line in answers]
        assert len(asked) == len(set(asked))
