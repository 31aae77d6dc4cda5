"""The project's files: where its root is, what lies in it, and the text of each. Each is parsed once, when asked for.

Read are Python files, stubs and the code cells of notebooks; tests and scripts with them. Builds, hidden folders and
virtual environments are left out, as by a scan.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Container, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis.scan.layout import _is_skipped as skipped
from graphbus_core.analysis.scan.modules import convert_to_utf8
from graphbus_core.findings import Finding
from graphbus_core.text import join_few

if TYPE_CHECKING:
    from graphbus_core.analysis.values import Facts

MARKERS = ("pyproject.toml", ".git", "setup.py", "setup.cfg")
MAX_FILES = 20_000
MAX_BYTES = 2_000_000  # of one file: a larger one is data, and is named as not read
CALLED = re.compile(rb"(?<!def )\b([^\W\d]\w*)\s*\(")
RENAMED = re.compile(rb"\b([^\W\d]\w*)\s+as\s+([^\W\d]\w*)")  # `from shop import run as run_shop`
KEPT_FACTS = 5_000  # files; a project is understood again after each edit, and most of it did not change
_FACTS: dict[tuple[str, bytes], Facts] = {}
_CALLED: dict[bytes, frozenset[bytes]] = {}  # digest of a text -> the words that it calls
TESTS = re.compile(r"(^|/)(tests?/|test_[^/]*\.py$|[^/]*_test\.py$|conftest\.py$)")


def _find_called(content: bytes) -> frozenset[bytes]:
    digest = sha256(content).digest()
    words = _CALLED.get(digest)
    if words is None:
        called = frozenset(CALLED.findall(content))
        words = called.union(own for own, name in RENAMED.findall(content) if name in called)
        while len(_CALLED) >= KEPT_FACTS:
            del _CALLED[next(iter(_CALLED))]
        _CALLED[digest] = words
    return words


def find_root(start: Path, explicit: Path | None = None) -> Path:
    """The project's root: what is given, else the nearest folder above with a marker, else `start` itself.

    The home folder and what lies above it are nobody's project, whatever marker stands there.
    """
    if explicit is not None:
        return Path(os.path.abspath(explicit))
    start = Path(os.path.abspath(start))
    home = Path(os.path.expanduser("~"))
    for folder in (start, *start.parents):
        if folder == home or folder in home.parents or folder == folder.parent:
            break
        if any((folder / marker).exists() for marker in MARKERS):
            return folder
    return start


class ReadTracker:
    """What an answer rests on: the files whose facts it asked for, and the words of which it asked who calls them.

    Every answer that is kept is found between `begin` and `end`, and is kept with what `end` gives; whoever gets it
    later rests on the same, which `add_reads` says. `ALWAYS` in it: what was found depends on the order of questions.
    `FAMILIES`: on which class comes from which, of all components.
    """

    ALWAYS = "\0"
    FAMILIES = "\0\0"

    def __init__(self) -> None:
        self.now: set[str] = set()
        self._outer: list[set[str]] = []

    def begin(self) -> None:
        """From now on what is read belongs to a new answer."""
        self._outer.append(self.now)
        self.now = set()

    def end(self, passes_on: bool = True) -> frozenset[str]:
        """What that answer rests on. The one around it rests on it too, unless it is not `told`."""
        reads = frozenset(self.now)
        self.now = self._outer.pop()
        if passes_on:
            self.now |= reads
        return reads

    def add_reads(self, on: frozenset[str] | None) -> None:
        """An answer that is known already is used; None for one that is still being looked for."""
        if on is None:
            self.now.add(self.ALWAYS)
        else:
            self.now |= on

    def add_word(self, word: str) -> None:
        """Who calls this word was asked: a file that begins to call it changes the answer."""
        self.now.add(f"{self.ALWAYS}{word}")


class ProjectFiles(Mapping[str, "Facts"]):
    """Facts by path, relative to the root with `/`. A file is read and parsed when it is first asked for.

    `over` holds texts that count in the place of what is on the disk (an edit that is not written yet). `base` is the
    folder of the agents' own modules: a script elsewhere puts it on its `sys.path`, and imports them from there.
    """

    def __init__(self, root: Path, over: Mapping[str, bytes] | None = None, base: str = "") -> None:
        self.root, self.base = root, base
        self._over = dict(over or {})
        self._paths: dict[str, None] | None = None
        self._contents: dict[str, bytes] = {}
        self._facts: dict[str, Facts] = {}
        self._words: dict[str, frozenset[bytes]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self._tests: dict[str, bool] = {}
        self._folders: frozenset[str] | None = None
        self._stems: frozenset[str] | None = None
        self.reads = ReadTracker()
        self.trees: dict[str, ast.Module] | None = None  # of files that were read for their facts, where somebody asks
        self.left_out: list[str] = []  # files and folders that were not read, each with the reason

    # ---- what is there

    @property
    def paths(self) -> Mapping[str, None]:
        """Every file, sorted; stubs and notebooks with them."""
        if self._paths is None:
            all_paths = {*self.iter_files((".py", ".pyi", ".ipynb")), *self._over}
            self._paths = dict.fromkeys(sorted(all_paths))
        return self._paths

    @property
    def overlaid(self) -> frozenset[str]:
        """The files whose text is not the one on the disk."""
        return frozenset(self._over)

    def iter_files(self, endings: tuple[str, ...]) -> Iterator[str]:
        """The files on the disk whose names end so, whatever they hold."""
        base = len(os.path.join(self.root, ""))
        waiting, count = [str(self.root)], 0
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(folder) as listed:
                    entries = sorted(listed, key=lambda e: e.name)
            except OSError as e:
                self.left_out.append(f"{folder[base:] or '.'}: {e.strerror}")
                continue
            for entry in entries:
                if entry.name.endswith(endings) and entry.is_file():
                    count += 1
                    if count > MAX_FILES:
                        self.left_out.append(f"the project has more than {MAX_FILES:,} files; the rest was not read")
                        return
                    yield entry.path[base:].replace(os.sep, "/")
                elif entry.is_dir(follow_symlinks=False) and not skipped(entry):
                    waiting.append(entry.path)

    def read_content(self, path: str) -> bytes:
        """A file's Python text in UTF-8; of a notebook, its code cells one after the other. Empty if unreadable."""
        content = self._contents.get(path)
        if content is None:
            content = self._over.get(path)
            if content is None:
                content = self._read_file(path)
            try:
                content = _read_cells(content) if path.endswith(".ipynb") else convert_to_utf8(content)
            except (LookupError, UnicodeError):  # a file around the project may be in an encoding that nobody knows
                content = b""
            self._contents[path] = content
        return content

    def _read_file(self, path: str) -> bytes:
        place = os.path.join(self.root, path)
        try:
            if os.path.getsize(place) > MAX_BYTES:
                self.left_out.append(f"{path}: larger than {MAX_BYTES:,} bytes")
                return b""
            with open(place, "rb") as f:
                return f.read()
        except OSError as e:
            self.left_out.append(f"{path}: {e.strerror}")
            return b""

    def digest(self) -> str:
        """One digest of every file's path and text: the same tree gives the same."""
        whole = sha256()
        for path in self.paths:
            whole.update(f"{path}\0{sha256(self.read_content(path)).hexdigest()}\n".encode())
        return whole.hexdigest()

    def is_test(self, path: str) -> bool:
        """Whether a file is a test, by its name or its folder."""
        cached = self._tests.get(path)
        if cached is None:
            cached = self._tests[path] = TESTS.search(path) is not None
        return cached

    def find_calling(self, word: str, among: Container[str] | None = None) -> list[str]:
        """The files in which a name is called, in their order; of `among`, where it is given."""
        met = word.encode()
        paths = self.paths if among is None else [path for path in self.paths if path in among]
        return [path for path in paths if met in self.find_called_words(path)]

    def find_reaching(self, word: str, among: Container[str] | None = None) -> list[str]:
        """The files in which a call of this name may reach a function of the project: `", ".join(…)` cannot."""
        # A common word (`join`, `format`) stands in most files, and there only behind a literal's quote: reading them
        # all for one function of that name is what an answer about a large project waited for.
        met = re.compile(rb"(?<!def )(?<![\"']\.)\b%b\s*(?:\(|as\s)" % re.escape(word.encode()))
        return [path for path in self.find_calling(word, among) if met.search(self.read_content(path))]

    def find_called_words(self, path: str) -> frozenset[bytes]:
        """Every name of a file that is called: an opening parenthesis follows, and no `def` stands before. What is
        imported under another name is called by that one, and counts under its own too."""
        words = self._words.get(path)
        if words is None:
            words = self._words[path] = _find_called(self.read_content(path))
        return words

    # ---- what it says

    def __getitem__(self, path: str) -> Facts:
        self.reads.now.add(path)
        facts = self._facts.get(path)
        if facts is None:
            if path not in self:
                raise KeyError(path)
            facts = self._facts[path] = _read_facts(path, self.read_content(path), self.trees)
            if facts.problem:
                self.left_out.append(facts.problem)
        return facts

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def find_module(self, name: str, seen_from: str) -> str | None:
        """The file of a module as an import in `seen_from` means it: looked for beside it and in each folder above,
        nearest last but one (`src/`), so that two programs of one repository keep to their own modules."""
        folder = seen_from.rpartition("/")[0]
        key = (name, folder)
        if key not in self._found:
            self._found[key] = self._find_module(name, folder)
        return self._found[key]

    def _find_module(self, name: str, folder: str) -> str | None:
        if not self._may_be_module(name):
            return None
        inner, paths = name.replace(".", "/"), self.paths
        for base in self._iter_bases(folder):
            for end in (f"{inner}.py", f"{inner}/__init__.py"):
                if (path := f"{base}{end}") in paths:
                    return path
        return None

    def _may_be_module(self, name: str) -> bool:
        """Whether each word of a dotted name is that of a file or folder: of most imports, which lead out, none is."""
        if self._stems is None:
            self._stems = frozenset(word.removesuffix(".py") for path in self.paths for word in path.split("/"))
        return self._stems.issuperset(name.split("."))

    def is_folder(self, name: str, seen_from: str) -> bool:
        """Whether a dotted name is a folder that holds modules."""
        return any(True for _ in self.iter_folders(name, seen_from))

    def iter_folders(self, name: str, seen_from: str) -> Iterator[str]:
        """The folders that hold modules below a dotted name, as an import in `seen_from` means it, nearest first."""
        if not self._may_be_module(name):
            return
        inner, folders = name.replace(".", "/"), self._collect_folders()
        for base in self._iter_bases(seen_from.rpartition("/")[0]):
            if f"{base}{inner}" in folders:
                yield f"{base}{inner}"

    def _iter_bases(self, folder: str) -> Iterator[str]:
        parts = folder.split("/") if folder else []
        for base in (*("/".join(parts[:n]) for n in range(len(parts), -1, -1)), self.base):
            yield f"{base}/" if base else ""
            yield f"{base}/src/" if base else "src/"

    def _collect_folders(self) -> frozenset[str]:
        if self._folders is None:
            folders: set[str] = set()
            for path in self.paths:
                folder = path.rpartition("/")[0]
                while folder and folder not in folders:
                    folders.add(folder)
                    folder = folder.rpartition("/")[0]
            self._folders = frozenset(folders)
        return self._folders


def _read_facts(path: str, content: bytes, trees: dict[str, ast.Module] | None) -> Facts:
    """The facts of a text; they depend on nothing else, and nobody changes them."""
    key = (path, content)
    facts = _FACTS.get(key)
    if facts is None:
        from graphbus_core.analysis.file_reader import read_file  # late: where nothing changed none is read

        if len(_FACTS) >= KEPT_FACTS:
            _FACTS.clear()
        facts = _FACTS[key] = read_file(path, content, derive_package(path), trees)
    return facts


def derive_package(path: str) -> str:
    """The package that a relative import starts from, as the path below the root says it."""
    return path.rpartition("/")[0].replace("/", ".")


def derive_module(path: str) -> str:
    """The dotted name by which the project's own code imports a file."""
    return path.removesuffix(".py").removesuffix("/__init__").removeprefix("src/").replace("/", ".")


def _read_cells(content: bytes) -> bytes:
    """The code cells of a notebook, magic lines left empty."""
    try:
        cells = json.loads(content or b"{}").get("cells", [])
        lines: list[str] = []
        for cell in cells:
            if cell.get("cell_type") == "code":
                lines += "".join(cell.get("source", ())).split("\n")
    except (ValueError, AttributeError, TypeError):
        return b""
    return "\n".join("" if line.lstrip()[:1] in ("%", "!", "?") else line for line in lines).encode()


def build_unreadable_finding(file: str, line: int, reason: str, with_it: tuple[str, ...] = ()) -> Finding:
    """GB110: what it costs is in it. `with_it`: the files that take something from it."""
    cost = "nothing in it was checked"
    if with_it:
        cost += f", nor what {join_few(with_it, 3)} {'take' if len(with_it) > 1 else 'takes'} from it"
    message = f"{file} cannot be read, so {cost}: {reason}"
    return Finding("GB110", message, file, line, file, fix="mend the file, or leave it out with --exclude")
