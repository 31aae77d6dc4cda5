"""The tutorial is walked from its first line to its last: files are written, commands run, what they print is there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tests.docs.running import run

TUTORIAL = [block for block in blocks() if block.key.startswith("docs/tutorial.md")]
FAILS = {  # commands that end with something to look at
    "graphbus infer .": [1, 0],
    "graphbus validate shop": [1],
    'graphbus run .graphbus --call Orders.take --args \'{"sku": "A-7", "quantity": 3}\'': [1],
}


@pytest.mark.timeout(300)
def test_the_tutorial_from_start_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a newcomer types, and what the page says that follows."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for variable in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{variable}_NAME", "a")
        monkeypatch.setenv(f"GIT_{variable}_EMAIL", "a@example.org")
    codes = {command: iter(exits) for command, exits in FAILS.items()}
    for block in TUTORIAL:
        if block.text.startswith("# "):
            file = tmp_path / block.text.splitlines()[0].removeprefix("# ")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)
        elif block.language == "console":
            _play(block.text, tmp_path, codes)


def _play(text: str, folder: Path, codes: dict[str, Iterator[int]]) -> None:
    """The commands of a block, each with the lines that the page shows under it."""
    for part in text.removeprefix("$ ").split("\n$ "):
        command, *shown = part.rstrip().splitlines()
        done = run(command, folder)
        expected = next(codes[command]) if command in codes else 0
        assert done.returncode == expected, f"{command}\n{done.stdout}\n{done.stderr}"
        assert [line for line in shown if line.strip() not in done.stdout] == [], f"{command}\n{done.stdout}"
