"""The fenced blocks of the documents, and the commands that stand in one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [*(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md"), *(ROOT / "skill").rglob("*.md")]
    + [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
)
_FENCE = re.compile(r"^( *)(```+)(\w*)[^\n]*\n(.*?)^\1\2", re.S | re.M)


@dataclass(frozen=True)
class Block:
    """One fenced block. `key`: its page and its first line, so that a block before it changes nothing."""

    key: str
    language: str
    text: str

    def commands(self) -> list[str]:
        """The commands of a shell block, each whole: with its continued lines, open quotes and here-document."""
        lines = iter(self.text.splitlines())
        shown = any(line.startswith("$ ") for line in self.text.splitlines())
        return [c for c in _commands(lines, shown) if c]


def _commands(lines: Iterator[str], shown: bool) -> Iterator[str]:
    for line in lines:
        if shown and not line.startswith("$ "):
            continue  # what the command printed
        command = line.removeprefix("$ ")
        while command.endswith("\\") or _is_open(command):
            command = (
                f"{command.removesuffix(chr(92))}\n{next(lines)}"
                if _is_open(command)
                else (f"{command[:-1]} {next(lines).strip()}")
            )
        if here := re.search(r"<<'(\w+)'", command):
            command += "\n" + "\n".join(iter(lambda: next(lines).strip(), here[1])) + f"\n{here[1]}"
        yield command if here else re.sub(r"(^|\s)#\s.*$", "", command).strip()


def _is_open(command: str) -> bool:
    try:
        shlex.split(command, comments=True)
    except ValueError as e:
        return "quotation" in str(e)
    return False


def blocks() -> list[Block]:
    """Every fenced block of every page."""
    found = []
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        for m in _FENCE.finditer(page.read_text("utf-8")):
            text = "\n".join(line.removeprefix(m[1]) for line in m[4].splitlines())
            lines = [line.strip() for line in text.strip().splitlines()]
            # Every picture of one kind begins with the same word: its second line tells it from the others.
            first = " ".join(lines[:2]) if m[3] == "mermaid" else lines[0]
            found.append(Block(f"{name}: {first[:40].strip()}", m[3], text))
    return found
