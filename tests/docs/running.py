"""The blocks of the documents by their keys, a folder to run one in, and how a command is run there."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.docs.blocks import blocks

BLOCKS = {block.key: block for block in blocks()}


def folder(here: Path, kind: str) -> Path:
    """Where the commands of a block are given, with what the text around it has introduced."""
    if kind == "shop":
        (here / "agents").mkdir()
        (here / "agents" / "__init__.py").touch()
        (here / "agents" / "inventory.py").write_text(BLOCKS["README.md: from typing import TypedDict"].text)
    elif kind == "plans":
        (here / "my-plan.md").write_text("# Plan\n\nSettings are written in JSON.\n")
    elif kind == "decided":
        run("graphbus consent run examples/consent/storage.yaml", here)
    elif kind == "built":
        run("graphbus build examples/hello", here)
    elif kind:
        run(
            "git init -q -b main && git add . && git -c user.name=a -c user.email=a@b commit -qm one",
            here / "examples" / kind,
        )
        return here / "examples" / kind
    return here


def run(command: str, at: Path) -> subprocess.CompletedProcess[str]:
    """One command in bash, with nothing to read and an end."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=at,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        stdin=subprocess.DEVNULL,
    )
