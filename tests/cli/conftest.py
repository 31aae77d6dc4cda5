"""Projects that commands are tried on."""

import shutil
from pathlib import Path

import pytest

from graphbus_core.cli.examples import example


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of seed 000's own project, with the working directory in it."""
    folder = Path(shutil.copytree(example("seed_negotiation"), tmp_path / "seed"))
    monkeypatch.chdir(folder)
    return folder
