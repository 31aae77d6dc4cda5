"""`protected_files` as the user gave them, made relative to the project; and what is to be said about them.

A pattern that protects nothing protects nobody: it is reported before the first question is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from graphbus_core.negotiation.proposal.config import protects
from graphbus_core.suggestions import suggest_names


def resolve_protected(patterns: Iterable[str], root: Path, files: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The patterns relative to `root`, and a sentence for each that matches none of `files` and nothing on the disk."""
    resolved, notes = [], []
    for pattern in patterns:
        relative = _make_relative(pattern, root, files)
        resolved.append(relative)
        if not any(protects(relative, path) for path in files) and not (root / relative).exists():
            notes.append(
                f"protected_files has {pattern!r}, which matches no file of this project, so it protects nothing"
                f"{_suggest_nearest(relative, files)}. Paths are relative to {root}."
            )
    return resolved, notes


def _make_relative(pattern: str, root: Path, files: Mapping[str, str]) -> str:
    """An absolute path as seen from the project; and one that was meant from the working directory."""
    if os.path.isabs(pattern):
        inside = _relativize(pattern, root)
        return pattern if inside is None else inside
    if not any(protects(pattern, path) for path in files) and not (root / pattern).exists() and "/" in pattern:
        inside = _relativize(os.path.abspath(pattern), root)
        if inside is not None and any(protects(inside, path) for path in files):
            return inside
    return pattern


def _relativize(path: str, root: Path) -> str | None:
    """`path` relative to `root`, also where one of them is reached through a link; None outside of it."""
    for candidate, base in ((path, root), (os.path.realpath(path), os.path.realpath(root))):
        relative = os.path.relpath(candidate, base).replace(os.sep, "/")
        if relative != ".." and not relative.startswith("../"):
            return relative
    return None


def _suggest_nearest(pattern: str, files: Iterable[str]) -> str:
    sorted_files: Sequence[str] = sorted(files)
    near = suggest_names(pattern, sorted_files, sure=True)
    return f" (the nearest is {near[0]})" if near else ""
