"""What holds for a project: each setting with where it comes from, the policy, and what `init` proposes."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.files.whole import put_whole
from graphbus_core.runtime.given.policy import Policy
from graphbus_core.settings import KNOWN, effective
from graphbus_core.workspace.shows.machine import agent_folders, project_root


def settings_of(folder: Path) -> list[dict[str, Any]]:
    """Every setting, what it is, where that comes from, and what it does. Raises ConfigError."""
    settings = effective(folder)
    told = []
    for name, known in KNOWN.items():
        value = settings[name]
        value = list(value) if isinstance(value, tuple) else value
        source = _near(settings.source(name), settings.root)
        told.append(
            {"name": name, "value": value, "source": source, "stated": settings.stated(name), "does": known.does}
        )
    return told


def policy_of(folder: Path) -> dict[str, Any]:
    """Who may do what in a run, and where that stands. Raises ConfigError."""
    settings = effective(folder)
    rules = _policy(folder).rules
    told = [
        {
            "name": one.name,
            "who": one.who,
            **{verb: _listed(getattr(one, verb)) for verb in ("call", "publish", "hear")},
        }
        for one in rules
    ]
    return {"file": settings.file.name if settings.file else None, "rules": told}


def may(folder: Path, who: str, verb: str, what: str) -> dict[str, Any]:
    """Whether the policy lets a node do that, and if not, which rule says so."""
    why = _policy(folder).why_not(who, verb, what)
    return {"allowed": why is None, "why": why}


@dataclass(frozen=True)
class ProposedSettings:
    """The settings that `init` would write: the file, what stands there and what would."""

    file: Path
    old: str
    new: str

    @property
    def diff(self) -> str:
        """As a unified diff."""
        name = self.file.name
        return "".join(unified_diff(self.old.splitlines(True), self.new.splitlines(True), f"a/{name}", f"b/{name}"))

    def write(self) -> None:
        """Write it, whole or not at all."""
        put_whole(self.file, self.new.encode(), durable=True)


def proposed(folder: Path) -> ProposedSettings:
    """`[tool.graphbus]` for a project that has none. Raises UsageError where it has."""
    settings = effective(folder)
    if settings.file is not None and settings.given:
        raise UsageError(f"{settings.file} has [tool.graphbus] already. `graphbus config` prints what holds.")
    root = project_root(folder)
    file = settings.file or root / "pyproject.toml"
    old = file.read_bytes().decode() if file.exists() else ""
    return ProposedSettings(file, old, old + table(root, old))


def table(root: Path, old: str) -> str:
    """The table for this project, to be put at the end of its `pyproject.toml`."""
    lines = ["[tool.graphbus]"]
    roots = agent_folders(root)
    if roots:
        lines.append("roots = [" + ", ".join(f'"{one}"' for one in roots) + "]")
    if (root / "tests").is_dir() or (root / "test").is_dir():
        lines.append('verify = "auto"  # pytest must pass before a commit')
    text = "\n".join(lines) + "\n"
    newline = "\r\n" if "\r\n" in old else "\n"
    text = ("" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n") + text
    tomllib.loads(old.replace("\r\n", "\n") + text)  # what is proposed can be read, or nothing is proposed
    return text.replace("\n", newline)


def _policy(folder: Path) -> Policy:
    file = effective(folder).file
    return Policy() if file is None else Policy.read(file)


def _listed(patterns: tuple[str, ...] | None) -> list[str] | None:
    return None if patterns is None else list(patterns)


def _near(source: str, root: Path) -> str:
    """Without the path of this machine: a front end may be somewhere else."""
    return source.removeprefix(f"{root}/")
