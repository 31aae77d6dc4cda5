"""Where a project lies: from what the user typed to a root, the folder to scan, and where its imports are looked up.

Nothing is imported to find a dotted package: its folders are looked for in the working directory and on `sys.path`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from graphbus_core.artifacts.folder import AGENTS, MANIFEST
from graphbus_core.errors import ScanError

SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "__pypackages__"})
MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".git", "Makefile")
# A folder that holds more is somebody's home, and the user meant another one.
MAX_FILES = 100_000


@dataclass(frozen=True)
class Layout:
    """`root`: what source paths are relative to, and where `import agents.x` starts. `start`: the folder or file to
    scan, relative to the root ("" for the root itself). `import_roots`: folders relative to the root, first one first.
    """

    root: Path
    start: str
    import_roots: tuple[str, ...]

    def move_to(self, root: Path) -> Layout:
        """The same project, copied elsewhere."""
        return replace(self, root=root)

    def name_module(self, path: str) -> str:
        """The dotted name under which `import` finds the file from the first import root that holds it."""
        # The first root that holds it, because that is where `import` would find it first.
        for base in self.import_roots:
            if not base or path.startswith(base + "/"):
                inner = path[len(base) + 1 :] if base else path
                name = inner.removesuffix(".py").replace("/", ".")
                return name.removesuffix(".__init__") if name != "__init__" else name
        raise AssertionError(f"{path} is outside of every import root")


def locate(target: str, cwd: Path | None = None) -> Layout:
    """Find the folder, file or dotted package. Raises ScanError where there is none."""
    working_folder = Path.cwd() if cwd is None else cwd
    path = working_folder / os.path.expanduser(target)
    if path.is_dir() or (path.is_file() and path.suffix == ".py"):
        return _locate_path(path, working_folder)
    if path.is_file():
        raise ScanError(f"{target} is not a Python file. Give a folder, a .py file or a dotted package.")
    if re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", target):
        return _locate_package(target, working_folder)
    raise ScanError(f"There is no folder {target}. Give the folder that holds your agents, or a dotted package.")


def _locate_path(path: Path, working_folder: Path) -> Layout:
    path = Path(os.path.abspath(path))
    folder = path if path.is_dir() else path.parent
    root = folder
    # Inside of a package: the names of its modules begin above the topmost `__init__.py`.
    if (folder / "__init__.py").is_file():
        while (root / "__init__.py").is_file() and root.parent != root:
            root = root.parent
    elif not _is_project(folder, working_folder) and any(folder.glob("*.py")) and folder.name.isidentifier():
        root = folder.parent  # `graphbus build agents/`: files are agents/x.py, modules agents.x (seed 000)
    start = path.relative_to(root).as_posix()
    inner = folder.relative_to(root).as_posix()
    roots = ("",) if inner == "." else ("", inner)
    return Layout(root, "" if start == "." else start, roots)


def _is_project(folder: Path, working_folder: Path) -> bool:
    """Whether imports start in `folder` itself: the user stands in it, or it looks like the top of a project."""
    return (
        folder == working_folder
        or folder in working_folder.parents
        or any((folder / marker).exists() for marker in MARKERS)
    )


def _locate_package(name: str, working_folder: Path) -> Layout:
    inner = name.replace(".", "/")
    # The working directory first, as `python -m` has it, then the path in its order.
    entries = dict.fromkeys(
        [str(working_folder), *(os.path.abspath(p) if p else str(working_folder) for p in sys.path)]
    )
    for entry in entries:
        for candidate in (inner, f"{inner}.py"):
            path = Path(entry, candidate)
            if path.is_dir() if candidate == inner else path.is_file():
                return Layout(Path(entry), candidate, ("",))
    # An editable install may put nothing on the path and answer imports by a finder of its own.
    if (root := _find_editable_root(name.partition(".")[0])) is not None:
        for candidate in (inner, f"{inner}.py"):
            if (root / candidate).exists():
                return Layout(root, candidate, ("",))
    raise ScanError(
        f"There is no folder and no package {name!r}: looked in {working_folder} and on sys.path. "
        "Give the folder that holds your agents, or run from the folder that holds the package."
    )


def _find_editable_root(top: str) -> Path | None:
    """Where an editable install with a finder of its own keeps a top-level package (this imports nothing)."""
    from importlib.util import find_spec

    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None
    where = next(iter(spec.submodule_search_locations or ()), None) if spec else None
    return Path(where).parent if where else None


def list_files(layout: Layout, include: Sequence[str] | None, exclude: Sequence[str] | None) -> tuple[list[str], int]:
    """The Python files to scan, relative to the root and sorted, and how many the patterns left out."""
    first = os.path.join(layout.root, layout.start) if layout.start else str(layout.root)
    prefix = len(os.path.join(layout.root, ""))
    listed: list[str] = []
    for path in _iter_python_files(first):
        listed.append(path[prefix:].replace(os.sep, "/"))
        if len(listed) > MAX_FILES:
            raise ScanError(f"{first} holds more than {MAX_FILES:,} Python files. Give the folder of the agents.")
    selected = [path for path in listed if _is_wanted(layout, path, include, exclude)]
    return sorted(selected), len(listed) - len(selected)


def _iter_python_files(first: str) -> Iterator[str]:
    if os.path.isfile(first):
        yield first
        return
    waiting = [first]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listed:
                entries = list(listed)
        except OSError as e:
            # A folder that cannot be listed may hold agents. To pass it over would build less than the user asked
            # for.
            raise ScanError(f"{folder} cannot be listed: {e.strerror}. Give another folder, or mend that.") from e
        for entry in entries:
            # By name before a look at the disk: a `stat` for each entry would be most of a scan.
            if entry.name.endswith(".py") and entry.is_file():
                yield entry.path
            elif entry.is_dir(follow_symlinks=False) and not _is_skipped(entry):
                waiting.append(entry.path)


def _is_skipped(entry: os.DirEntry[str]) -> bool:
    """Hidden folders, installed packages, virtual environments, and builds of ours: frozen sources are not sources."""
    if entry.name in SKIPPED or entry.name.startswith("."):
        return True
    if os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
        return True
    return all(os.path.exists(os.path.join(entry.path, name)) for name in (MANIFEST, AGENTS))


def _is_wanted(layout: Layout, path: str, include: Sequence[str] | None, exclude: Sequence[str] | None) -> bool:
    if not include and not exclude:
        return True
    start = layout.start if not layout.start.endswith(".py") else layout.start.rpartition("/")[0]
    inner = path[len(start) + 1 :] if start else path
    name = layout.name_module(path)
    short = inner.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    # People write `agents/x.py`, `x.py` or `agents.x`, and mean the same file.
    names = (path, inner, path.rpartition("/")[2]), (name, short)

    def matches_any(patterns: Sequence[str]) -> bool:
        return any(
            any(_compile_glob(pattern).fullmatch(p) for p in names[0])
            or any(fnmatchcase(m, pattern) or m.startswith(pattern + ".") for m in names[1])
            for pattern in patterns
        )

    return (not include or matches_any(include)) and not (exclude and matches_any(exclude))


@lru_cache(maxsize=1000)
def _compile_glob(pattern: str) -> re.Pattern[str]:
    """A glob on paths: `*` stays inside a folder, `**` crosses folders, a folder's name stands for all it holds."""
    pattern = pattern.removeprefix("./")
    whole = re.escape(pattern.rstrip("/")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*")
    return re.compile(whole.replace(r"\*", "[^/]*").replace(r"\?", "[^/]") + "(?:/.*)?")
