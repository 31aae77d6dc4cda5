"""Which files of a large project a change can reach: those that import what it changes, and what these import.

A checker's finding in a file rests on that file and on what it imports, by whatever way. An import names its module, so
a file that does not hold the module's name as a word does not import it. Words are therefore enough to leave a file
out with certainty; a word in a comment only makes the look a little larger. A package's `__init__` is imported under
the folder's name, relative imports do not say that, and it may hand on whatever it imports: a change that comes to one
is looked at with the whole project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graphbus_core.analysis.files import ProjectFiles

SMALL = 60  # files: below that a look at all of them is as quick
WORD = re.compile(rb"[\w\x80-\xff]+")
ENDINGS = (".py", ".pyi")


@dataclass(frozen=True)
class Reach:
    """`asked`: the files in which a finding may be new. `needed`: those and what they rest on."""

    asked: frozenset[str]
    needed: frozenset[str]


def find_reach(texts: ProjectFiles, changed: Iterable[str]) -> Reach | None:
    """What a change of these files can reach; None where that is the whole project, or as good as that."""
    paths = [path for path in texts.paths if path.endswith(ENDINGS)]
    asked = _find_importers(texts, paths, changed) if len(paths) > SMALL else None
    if asked is None:
        return None
    needed = _find_imported(texts, paths, asked)
    return Reach(frozenset(asked), frozenset(needed)) if 2 * len(needed) <= len(paths) else None


def _find_importers(texts: ProjectFiles, paths: list[str], changed: Iterable[str]) -> set[str] | None:
    reached: set[str] = set()
    waiting = set(changed)
    while waiting:
        reached |= waiting
        stems = {_find_stem(path) for path in waiting}
        if b"__init__" in stems or 2 * len(reached) > len(paths):
            return None
        waiting = {
            path
            for path in paths
            if path not in reached
            and any(stem in (content := texts.read_content(path)) and _has_word(content, stem) for stem in stems)
        }
    return reached & set(paths)


def _find_imported(texts: ProjectFiles, paths: list[str], asked: set[str]) -> set[str]:
    by_stem: dict[bytes, list[str]] = {}
    for path in paths:
        by_stem.setdefault(_find_stem(path), []).append(path)
    needed: set[str] = set()
    waiting = {*asked, *by_stem.get(b"__init__", ())}
    while waiting:
        needed |= waiting
        words = {word for path in waiting for word in WORD.findall(texts.read_content(path))}
        waiting = {path for word in words & by_stem.keys() for path in by_stem[word]} - needed
    return needed


def _find_stem(path: str) -> bytes:
    return path.rpartition("/")[2].partition(".")[0].encode()


def _has_word(content: bytes, word: bytes) -> bool:
    return re.search(rb"(?<![\w\x80-\xff])%b(?![\w\x80-\xff])" % re.escape(word), content) is not None
