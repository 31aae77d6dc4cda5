"""A clone's folder for each block that is run."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the examples, as a clone has them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, words in (("graphbus", "-m graphbus_core.cli.main"), ("mypy", "-m mypy"), ("python", "")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in [n for n in os.environ if n.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    return tmp_path
