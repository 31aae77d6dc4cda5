"""Where contracts are: a file, a folder, a revision of git, a build, `pkg.module:Name`, `Node.method`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from graphbus_core.build import evolution
from graphbus_core.contracts import MODES
from graphbus_core.contracts.front import door
from graphbus_core.contracts.front.door import Item, Read
from graphbus_core.errors import ContractError, UsageError

SIDES = {"BACKWARD": frozenset({"input"}), "FORWARD": frozenset({"output"}), "NONE": frozenset[str]()}
SIDES["FULL"] = SIDES["BACKWARD"] | SIDES["FORWARD"]


@dataclass(frozen=True)
class How:
    """How versions are read and judged; one reading a run. Files are named as they stand below `root`."""

    mode: str = "BACKWARD"
    reading: str = "strict"
    maps: Mapping[str, str] = field(default_factory=dict)
    dialect: str | int | None = None
    side: str = "output"
    exclude: tuple[str, ...] = ()
    root: Path = Path()

    @property
    def sides(self) -> frozenset[str]:
        """The sides that the mode asks about. Raises UsageError."""
        if self.mode not in MODES:
            raise UsageError(f"{self.mode!r} is not a compatibility mode; use one of {', '.join(MODES)}.")
        return SIDES[self.mode.removesuffix("_TRANSITIVE")]

    @property
    def transitive(self) -> bool:
        """Whether every version of a history is asked, not the newest alone."""
        return self.mode.endswith("_TRANSITIVE")


def read(text: str, how: How, project: str = ".") -> Read:
    """The contracts of a file, a part of it, a folder of schemas, `pkg.module:Name`, or `Node.method`.

    `FILE#PART` is a JSON pointer of a schema (`#/$defs/Item`), or the beginning of an operation's name
    (`#GET /orders 200`). Raises ContractError.
    """
    file, _, part = text.partition("#")
    path = Path(text)
    # A file may be called `a#b.json`. What exists goes before what could be meant.
    if part and not path.exists() and (path := Path(file)).is_file():
        if not part.startswith("/"):
            return Read({"": operation(read(file, how, project), file, part)})
        load = door.disk(path.parent)
        found = door.read_part(path.name, part, load, path.parent, maps=how.maps, dialect=how.dialect)
        return placed(found, path.parent, how)
    if path.is_file():
        found = door.read_file(path.name, door.disk(path.parent), path.parent, maps=how.maps, dialect=how.dialect)
        return placed(found, path.parent, how)
    if path.is_dir():
        return placed(_folder(path, how), path, how)
    # Before `Node.method`, because a module and its class are written with a colon that no method has.
    if ":" in text and "/" not in text and not text.endswith(door.SUFFIXES):
        item = door.read_python(text, how.side, Path(project))
        return Read({"": Item("", item.schema, how.side)})
    schema = evolution.side(text, project, how.side)
    return Read({"": Item("", schema, None, text)})


def operation(found: Read, file: str, part: str) -> Item:
    """The one contract of an OpenAPI or AsyncAPI file whose name begins so. Raises ContractError."""
    # Each operation also stands there under its bare name, with `true`: that says it exists, and is not a contract.
    parts = {name: (one, item) for item in found.items.values() for name, one in item.parts.items() if not one.whole}
    # An exact name goes before those that only begin so, or `GET /orders` could never be named.
    matching = [name for name in parts if name == part] or [name for name in parts if name.startswith(part)]
    if len(matching) != 1:
        several = ", ".join(matching or sorted(parts)) or "none"
        raise ContractError(f"{file} has {len(matching)} contracts named {part!r}; there are: {several}.")
    one, item = parts[matching[0]]
    # The part is taken out of its document, and its references must still find what they mean.
    shared = item.schema.get("$defs")
    schema = {**one.schema, "$defs": shared} if shared and isinstance(one.schema, dict) else one.schema
    return replace(item, name=matching[0], schema=schema, side=one.side, parts={}, under=one.pointer)


def both(old: str, new: str, how: How, project: str = ".") -> tuple[Read, Read]:
    """Two versions by name. A file beside a folder means the file of that name in it."""
    return read(_beside(old, new), how, project), read(_beside(new, old), how, project)


def as_usual(how: How, found: Iterable[Item], stated: str | None) -> How:
    """With the reading that was stated, else the one that is usual for what is compared.

    OpenAPI and AsyncAPI declare what is sent: an optional field more breaks nobody who keeps to the document.
    """
    items = list(found)
    return replace(how, reading=stated or ("link" if items and all(one.parts for one in items) else "strict"))


def against(text: str, path: str, how: How) -> tuple[Read, Read]:
    """(old, new) of a path of schemas held against `git:REF[:PATH]`, a revision, a folder or a file."""
    if not text.startswith("git:") and Path(text).exists():
        # A new file without a past is "all new"; a path that is wrong in both places is a mistake.
        if not Path(path).exists() and (Path(text).is_dir() or not Path(path).suffix):
            raise ContractError(f"{path} is not there. Give the file or folder of today's schemas.")
        return read(_beside(text, path), how), read(path, how) if Path(path).exists() else Read({})
    revision, _, inner = text.removeprefix("git:").partition(":")
    old = at_revision(Path(inner or path), revision, how)
    new = read(path, how) if Path(path).exists() else Read({})
    if not old.items and not new.items:
        raise ContractError(f"{path} holds no contract, neither here nor at {revision}. Look at the path again.")
    return old, new


def at_revision(path: Path, revision: str, how: How) -> Read:
    """The contracts of a path as git has it at a revision; none where it was not there. Raises ContractError."""
    base = nearest(path)
    commit = evolution.commit_of(base, revision)
    top = Path(evolution.git(base, "rev-parse", "--show-toplevel").decode().strip())
    # Resolved on both sides: on some systems the temporary folder is reached over a link.
    inside = path.resolve().relative_to(top.resolve()).as_posix()
    # `-z`: names of files may hold quotes and letters that git would escape.
    listed = evolution.git(top, "ls-tree", "-r", "--name-only", "-z", commit, "--", inside).decode("utf-8", "replace")
    names = [n for n in listed.split("\0") if n.endswith(door.SUFFIXES)]
    is_file = inside in names
    folder = Path(inside).parent if is_file else Path(inside)

    def load(name: str) -> bytes:
        return evolution.git(top, "show", f"{commit}:{(folder / name).as_posix()}")

    if is_file:
        found = door.read_file(path.name, load, path.resolve().parent, maps=how.maps, dialect=how.dialect)
    else:
        below = [Path(n).relative_to(folder).as_posix() for n in names]
        kept = sorted(n for n in below if not _excluded(n, how))
        found = door.read_files(kept, load, path.resolve(), maps=how.maps, dialect=how.dialect)
    return placed(found, top / folder, how, f" at {revision}")


def nearest(path: Path) -> Path:
    """The folder around a path, or around where it was."""
    base = path if path.is_dir() else path.parent
    while not base.is_dir():
        base = base.parent
    return base


def placed(found: Read, folder: Path, how: How, at: str = "") -> Read:
    """The same, its files named from the root: that is where editors and pull requests look for them."""

    def shown(file: str) -> str:
        return Path(os.path.relpath(folder.resolve() / file, how.root.resolve())).as_posix()

    items = {name: replace(one, file=shown(one.file), at=at) for name, one in found.items.items()}
    return Read(items, found.notes)


def _folder(path: Path, how: How) -> Read:
    names = [n for n in door.files_below(path) if not _excluded(n, how)]
    if not names:
        raise ContractError(f"{path} holds no JSON or YAML file that is read. Give the folder of the schemas.")
    return door.read_files(names, door.disk(path), path, maps=how.maps, dialect=how.dialect)


def _excluded(name: str, how: How) -> bool:
    parts = Path(name).parts
    return any(fnmatchcase(name, glob) or any(fnmatchcase(p, glob) for p in parts) for glob in how.exclude)


def _beside(one: str, other: str) -> str:
    """The file that `one` means where `other` is a file and it is a folder."""
    folder, file = Path(one), Path(other)
    if not folder.is_dir() or file.is_dir() or file.suffix not in door.SUFFIXES:
        return one
    if not (folder / file.name).is_file():
        raise ContractError(f"{one} is a folder without a {file.name}, so {other} has nothing to be held against.")
    return str(folder / file.name)
