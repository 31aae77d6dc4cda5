"""The blocks of the documents by their keys, a folder to run one in, and how a command is run there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests import forking
from tests.docs.blocks import blocks

# `graphbus` and words: in double quotes nothing that bash replaces, outside nothing that it reads in any way.
_PLAIN = re.compile(r"""graphbus( +([\w./:=,@+-]|'[^']*'|"[^"$`\\!]*")+)*""", re.ASCII)
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
    """One command in bash, with nothing to read and an end. One of ours in which bash has nothing to do but to part its
    words is forked."""
    words = ["bash", "-c", command]
    if _PLAIN.fullmatch(command):
        words = [sys.executable, "-m", forking.COMMAND, *shlex.split(command)[1:]]
    return forking.run(words, cwd=at, capture_output=True, text=True, timeout=110, stdin=subprocess.DEVNULL)
