"""Where contracts are: a file, a folder, a revision of git, a build, `pkg.module:Name`, `Node.method`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from graphbus_core.analysis import contract_history
from graphbus_core.contracts import MODES
from graphbus_core.contracts.loaders import loader
from graphbus_core.contracts.loaders.loader import LoadedContract, LoadResult
from graphbus_core.contracts.loaders.openapi import STATUS
from graphbus_core.errors import ContractError, UsageError

SIDES = {"BACKWARD": frozenset({"input"}), "FORWARD": frozenset({"output"}), "NONE": frozenset[str]()}
SIDES["FULL"] = SIDES["BACKWARD"] | SIDES["FORWARD"]


@dataclass(frozen=True)
class CompareOptions:
    """How versions are read and judged; one reading a run. Files are named as they stand below `root`."""

    mode: str = "BACKWARD"
    reading: str = "strict"
    maps: Mapping[str, str] = field(default_factory=dict)
    dialect: str | int | None = None
    side: str = "output"
    exclude: tuple[str, ...] = ()
    root: Path = Path()
    within: Path | None = None  # references of a single file may lead anywhere below it; else below the file's folder

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


def read_source(text: str, how: CompareOptions, project: str = ".") -> LoadResult:
    """The contracts of a file, a part of it, a folder of schemas, `pkg.module:Name`, or `Node.method`.

    `FILE#PART` is a JSON pointer of a schema (`#/$defs/Item`), or the beginning of an operation's name
    (`#GET /orders 200`). Raises ContractError.
    """
    file, _, part = text.partition("#")
    path = Path(text)
    # A file may be called `a#b.json`. What exists goes before what could be meant.
    if part and not path.exists() and (path := Path(file)).is_file():
        if not part.startswith("/"):
            return LoadResult({"": find_operation(read_source(file, how, project), file, part)})
        folder, name = _split_path(path, how)
        load = loader.build_folder_loader(folder)
        contracts = loader.read_part(name, part, load, folder, maps=how.maps, dialect=how.dialect)
        return locate_from_root(contracts, folder, how)
    if path.is_file():
        folder, name = _split_path(path, how)
        load = loader.build_folder_loader(folder)
        contracts = loader.read_file(name, load, folder, maps=how.maps, dialect=how.dialect)
        return locate_from_root(contracts, folder, how)
    if path.is_dir():
        return locate_from_root(_read_folder(path, how), path, how)
    # Before `Node.method`, because a module and its class are written with a colon that no method has.
    if ":" in text and "/" not in text and not text.endswith(loader.SUFFIXES):
        item = loader.read_python(text, how.side, Path(project))
        return LoadResult({"": LoadedContract("", item.schema, how.side)})
    schema = contract_history.read_side(text, project, how.side)
    return LoadResult({"": LoadedContract("", schema, None, text)})


def _split_path(path: Path, how: CompareOptions) -> tuple[Path, str]:
    """The folder below which the references of a file may lead, and the file's name in it."""
    if how.within is not None and path.resolve().is_relative_to(how.within.resolve()):
        return how.within, path.resolve().relative_to(how.within.resolve()).as_posix()
    return path.parent, path.name


def find_operation(contracts: LoadResult, file: str, part: str) -> LoadedContract:
    """The one contract of an OpenAPI or AsyncAPI file whose name begins so. Raises ContractError."""
    # Each operation also stands there under its bare name, with `true`: that says it exists, and is not a contract.
    parts = {
        name: (contract_part, item)
        for item in contracts.items.values()
        for name, contract_part in item.parts.items()
        if not contract_part.whole and not name.endswith(STATUS)
    }
    # An exact name goes before those that only begin so, or `GET /orders` could never be named.
    matching = [name for name in parts if name == part] or [name for name in parts if name.startswith(part)]
    if len(matching) != 1:
        several = ", ".join(matching or sorted(parts)) or "none"
        raise ContractError(f"{file} has {len(matching)} contracts named {part!r}; there are: {several}.")
    contract_part, item = parts[matching[0]]
    # The part is taken out of its document, and its references must still find what they mean.
    shared = item.schema.get("$defs")
    schema = (
        {**contract_part.schema, "$defs": shared}
        if shared and isinstance(contract_part.schema, dict)
        else contract_part.schema
    )
    return replace(
        item, name=matching[0], schema=schema, side=contract_part.side, parts={}, under=contract_part.pointer
    )


def read_both(old: str, new: str, how: CompareOptions, project: str = ".") -> tuple[LoadResult, LoadResult]:
    """Two versions by name. A file beside a folder means the file of that name in it."""
    return read_source(_match_file(old, new), how, project), read_source(_match_file(new, old), how, project)


def choose_reading(how: CompareOptions, compared_items: Iterable[LoadedContract], stated: str | None) -> CompareOptions:
    """With the reading that was stated, else the one that is usual for what is compared.

    OpenAPI and AsyncAPI declare what is sent: an optional field more breaks nobody who keeps to the document.
    """
    items = list(compared_items)
    return replace(how, reading=stated or ("link" if items and all(item.parts for item in items) else "strict"))


def read_against(text: str, path: str, how: CompareOptions) -> tuple[LoadResult, LoadResult]:
    """(old, new) of a path of schemas held against `git:REF[:PATH]`, a revision, a folder or a file."""
    if not text.startswith("git:") and Path(text).exists():
        # A new file without a past is "all new"; a path that is wrong in both places is a mistake.
        if not Path(path).exists() and (Path(text).is_dir() or not Path(path).suffix):
            raise ContractError(f"{path} is not there. Give the file or folder of today's schemas.")
        return read_source(_match_file(text, path), how), read_source(path, how) if Path(path).exists() else LoadResult(
            {}
        )
    revision, _, inner = text.removeprefix("git:").partition(":")
    old = read_at_revision(Path(inner or path), revision, how)
    new = read_source(path, how) if Path(path).exists() else LoadResult({})
    if not old.items and not new.items:
        raise ContractError(f"{path} holds no contract, neither here nor at {revision}. Look at the path again.")
    return old, new


def read_at_revision(path: Path, revision: str, how: CompareOptions) -> LoadResult:
    """The contracts of a path as git has it at a revision; none where it was not there. Raises ContractError."""
    base = find_nearest_folder(path)
    commit = contract_history.resolve_commit(base, revision)
    top = Path(contract_history.read_git(base, "rev-parse", "--show-toplevel").decode().strip())
    # Resolved on both sides: on some systems the temporary folder is reached over a link.
    inside = path.resolve().relative_to(top.resolve()).as_posix()
    # `-z`: names of files may hold quotes and letters that git would escape.
    listed = contract_history.read_git(top, "ls-tree", "-r", "--name-only", "-z", commit, "--", inside).decode(
        "utf-8", "replace"
    )
    names = [n for n in listed.split("\0") if n.endswith(loader.SUFFIXES)]
    is_file = inside in names
    folder = Path(inside).parent if is_file else Path(inside)
    name, root = path.name, path.resolve().parent
    if is_file and how.within is not None and path.resolve().is_relative_to(how.within.resolve()):
        root = how.within.resolve()
        folder, name = root.relative_to(top.resolve()), path.resolve().relative_to(root).as_posix()

    def load(name: str) -> bytes:
        return contract_history.read_git(top, "show", f"{commit}:{(folder / name).as_posix()}")

    if is_file:
        contracts = loader.read_file(name, load, root, maps=how.maps, dialect=how.dialect)
    else:
        below = [Path(n).relative_to(folder).as_posix() for n in names]
        included = sorted(n for n in below if not _is_excluded(n, how))
        contracts = loader.read_files(included, load, path.resolve(), maps=how.maps, dialect=how.dialect)
    return locate_from_root(contracts, top / folder, how, f" at {revision}")


def find_nearest_folder(path: Path) -> Path:
    """The folder around a path, or around where it was."""
    base = path if path.is_dir() else path.parent
    while not base.is_dir():
        base = base.parent
    return base


def locate_from_root(contracts: LoadResult, folder: Path, how: CompareOptions, when_text: str = "") -> LoadResult:
    """The same, its files named from the root: that is where editors and pull requests look for them."""

    def render_path(file: str) -> str:
        return Path(os.path.relpath(folder.resolve() / file, how.root.resolve())).as_posix()

    items = {name: replace(item, file=render_path(item.file), at=when_text) for name, item in contracts.items.items()}
    return LoadResult(items, contracts.notes)


def _read_folder(path: Path, how: CompareOptions) -> LoadResult:
    names = [n for n in loader.find_files(path) if not _is_excluded(n, how)]
    if not names:
        raise ContractError(f"{path} holds no JSON or YAML file that is read. Give the folder of the schemas.")
    return loader.read_files(names, loader.build_folder_loader(path), path, maps=how.maps, dialect=how.dialect)


def _is_excluded(name: str, how: CompareOptions) -> bool:
    parts = Path(name).parts
    return any(fnmatchcase(name, glob) or any(fnmatchcase(p, glob) for p in parts) for glob in how.exclude)


def _match_file(source: str, other: str) -> str:
    """The file that `one` means where `other` is a file and it is a folder."""
    folder, file = Path(source), Path(other)
    if not folder.is_dir() or file.is_dir() or file.suffix not in loader.SUFFIXES:
        return source
    if not (folder / file.name).is_file():
        raise ContractError(f"{source} is a folder without a {file.name}, so {other} has nothing to be held against.")
    return str(folder / file.name)
