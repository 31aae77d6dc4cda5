"""Which files `SafetyConfig.protected_files` protects. One reading, for the table and for the gates. Pure.

| pattern | protects |
|---|---|
| `agents/clean.py`, `./agents//clean.py` | that file |
| `agents/core`, `agents/core/` | everything in that folder |
| `agents/*_api.py`, `**/clean.py` | what the glob matches; `*` also crosses folders, `**/` may stand for none |
| `clean.py`, `*_api.py`, `core` (no `/`) | every file and folder of that name, wherever it is, as in `.gitignore` |

Upper and lower case are one: on some disks they name the same file, and too much protection does no harm. Paths are
relative to the project; `build.protected` makes them so.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from fnmatch import fnmatchcase


def protector(patterns: Iterable[str], path: str) -> str | None:
    """The first of `patterns` that protects `path`, or None."""
    return next((pattern for pattern in patterns if protects(pattern, path)), None)


def protects(pattern: str, path: str) -> bool:
    """Whether `pattern` protects the file at `path` (relative to the project, with `/`)."""
    # Normalised as the file system would do it: a pattern with `..` or doubled slashes must not miss its file.
    wanted = posixpath.normpath(pattern.replace("\\", "/")).casefold()
    if wanted == ".":
        return True  # the project itself
    parts = path.casefold().split("/")
    if "/" not in wanted:
        # A bare name means every file and folder of that name, because that is how people know it from .gitignore.
        return any(part == wanted or fnmatchcase(part, wanted) for part in parts)
    here = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]  # the file, and every folder that it is in
    return any(
        # `**/` may stand for no folder at all, which fnmatch does not know.
        at in (wanted, each) or fnmatchcase(at, each)
        for each in (wanted, wanted.replace("**/", ""))
        for at in here
    )
