"""Python files as data: parsed once, their top-level names listed, found by dotted name. Nothing is run.

A `Module` is one file; `namespaces.py` says what its names are bound to. A `ModuleTable` finds modules the way `import`
would, and notes for each scanned file which modules were asked for: so a cached reading knows what it rests on.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis.scan.layout import Layout
from graphbus_core.errors import ScanError, UnreadableSourceError
from graphbus_core.module_origin import is_provided, is_standard
from graphbus_core.syntax import list_imported_names

if TYPE_CHECKING:
    from graphbus_core.analysis.scan.namespaces import Namespace

BY_NAME = re.compile(rb"\b(?:import_module|__import__)\b")
LATE_IMPORT = re.compile(rb"^[ \t]+(?:import|from)\b|;\s*(?:import|from)\b|:\s*(?:import|from)\b", re.M)
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.M)


@dataclass
class Module:
    """One parsed file. `path` is relative to the project's root; absolute where it lies outside."""

    name: str
    path: str
    content: bytes = field(repr=False)
    is_package: bool = False
    own: bool = True
    root: str = ""  # of the project whose own it is

    @property
    def package(self) -> str:
        """What a relative import starts from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree. Raises ScanError that names file, line and reason."""
        try:
            return parse(self.content, self.path)
        except ScanError:
            # What a link leads to is nobody's to show: `agents/x.py -> ~/.netrc` does not parse, and has secrets in it.
            if self.root and not Path(self.root, self.path).resolve().is_relative_to(Path(self.root).resolve()):
                reason = "a link that leads out of the project, to what is not Python"
                message = f"{self.path} is {reason}. Take it away, or leave it out with --exclude."
                raise UnreadableSourceError(message, self.path, 1, f"it is {reason}") from None
            raise

    @cached_property
    def text(self) -> bytes:
        """The source as UTF-8, in which the columns of the tree count."""
        return convert_to_utf8(self.content)

    @cached_property
    def namespace(self) -> Namespace:
        """What the top-level names stand for."""
        from graphbus_core.analysis.scan.namespaces import Namespace

        return Namespace(self.tree.body, self.package)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *accumulate(map(len, self.text.splitlines(keepends=True)))]

    def extract_segment(self, node: ast.stmt | ast.expr, first_line: int | None = None) -> str:
        """The source of a node; with `first_line` from the start of that line on."""
        starts = self._line_starts
        # Bytes, since columns of a syntax tree count bytes of UTF-8 and not letters.
        first = starts[node.lineno - 1] + node.col_offset if first_line is None else starts[first_line - 1]
        last = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return self.text[first:last].decode("utf-8", "replace")

    def mentions(self, word: str) -> bool:
        """Whether the word stands anywhere in the file: a quick no before a slow look."""
        return word.encode() in self.content

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Dotted names that the file may import, also inside functions: `a.b` and for `from a import b` both; and those
        that it gives to `import_module` and `__import__` as they stand.
        """
        names: dict[str, None] = {}
        # Most files import at the top alone. Walking the whole tree of each would cost more than parsing it.
        if LATE_IMPORT.search(self.content):
            statements = [n for n in ast.walk(self.tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        else:
            statements = [n for n in self.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
        for statement in statements:
            names.update(dict.fromkeys(list_imported_names(statement, self.package)))
        # Names in calls are found only where such a call is: this walk is over every node.
        if BY_NAME.search(self.content):
            names.update(dict.fromkeys(find_dynamic_imports(self.tree, self.package)))
        return tuple(filter(None, names))


def find_dynamic_imports(tree: ast.Module, package: str) -> Iterator[str]:
    """What `import_module("a.b")`, `import_module(".b", __package__)` and `__import__("a", fromlist=["b"])` import."""
    callers = {"import_module", "__import__"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "importlib":
            callers.update(alias.asname for alias in node.names if alias.name == "import_module" and alias.asname)
    for node in ast.walk(tree):
        match node:
            case ast.Call(args=[ast.Constant(value=str() as name), *_]):
                callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if callee in callers:
                    yield from _resolve_dynamic_import(node, name, package)


def _resolve_dynamic_import(call: ast.Call, name: str, package: str) -> Iterator[str]:
    if name.startswith("."):
        constants = [a for a in [*call.args[1:2], *(k.value for k in call.keywords)] if isinstance(a, ast.Constant)]
        base = next((str(a.value) for a in constants), package).split(".")
        # One dot is the package itself, so the count of dots is one more than the steps up.
        up = len(name) - len(name.lstrip(".")) - 1
        name = ".".join([*base[: len(base) - up], name.lstrip(".")]).rstrip(".")
    yield name
    for listed in [*call.args[3:4], *(k.value for k in call.keywords if k.arg == "fromlist")]:
        for element in getattr(listed, "elts", ()):
            if isinstance(element, ast.Constant) and isinstance(element.value, str):
                yield f"{name}.{element.value}"


def parse(content: bytes, path: str) -> ast.Module:
    """Parse a file's bytes as Python does. Raises ScanError that names file, line and reason."""
    try:
        return ast.parse(content, path)
    except SyntaxError as e:
        # The parser does not always say a line; of a null byte it never does.
        line = f":{e.lineno}" if e.lineno else _locate_bad_byte(content)
        excerpt = f" ({e.text.strip()[:80]})" if e.text and e.text.strip() else ""
        reason = f"{e.msg}{excerpt}{_explain_syntax(e.text or '')}"
    except ValueError as e:
        line, reason = _locate_bad_byte(content), str(e)
    except (RecursionError, MemoryError):
        line, reason = "", "it is nested too deeply to be parsed"
    message = f"{path}{line} cannot be read: {reason}. Mend the file, or leave it out with --exclude."
    raise UnreadableSourceError(message, path, int(line[1:] or 1), reason)


# What Python 3.12 brought: type parameters in brackets after a name, and the statement `type`.
_OF_312 = re.compile(r"\s*(?:class|def|async\s+def)\s+\w+\s*\[|\s*type\s+\w+\s*[\[=]")


def _explain_syntax(line: str) -> str:
    """Whether a newer Python would read it, where that can be told."""
    if sys.version_info >= (3, 12) or not _OF_312.match(line):
        return ""
    own = ".".join(map(str, sys.version_info[:2]))
    return f"; that is syntax of Python 3.12, and GraphBus runs on {own} here"


def _locate_bad_byte(content: bytes) -> str:
    """Where a null byte or a byte that is not UTF-8 stands, which Python's parser does not always say."""
    position = content.find(b"\0")
    if position < 0:
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as e:
            position = e.start
    return f":{content.count(bytes([10]), 0, position) + 1}" if position >= 0 else ""


def convert_to_utf8(content: bytes) -> bytes:
    """The same source in UTF-8 without a byte order mark."""
    # A byte order mark is not part of the first name.
    if content.startswith(b"\xef\xbb\xbf"):
        return content[3:]
    head = b"\n".join(content.split(b"\n", 2)[:2])
    cookie = COOKIE.search(head)
    if cookie is None or cookie[1].lower().replace(b"_", b"-") in (b"utf-8", b"utf8"):
        return content
    return content.decode(cookie[1].decode("ascii")).encode()


class ModuleTable:
    """Finds modules by dotted name, as `import` would: the project's own files first, parsed once each.

    `over` holds texts that count in place of files (an editor's), by path below the root.
    """

    def __init__(self, layout: Layout, over: Mapping[str, bytes] | None = None) -> None:
        self.layout = layout
        self.consulted: set[str] = set()  # names asked for since it was last emptied
        self._paths: dict[str, str | None] = {}
        self._folders: dict[str, str | None] = {}
        self._contents: dict[str, bytes] = dict(over or {})
        self._digests: dict[str, str] = {}
        self._states: dict[str, str | None] = {}
        self._modules: dict[tuple[str, str], Module] = {}

    def find_path(self, name: str) -> str | None:
        """The file of one of the project's own modules, relative to the root; None where there is none."""
        if name in self._paths:
            return self._paths[name]
        relative_path: str | None = None
        top = name.partition(".")[0]
        # The standard library shadows the project, as it does for `import`; ours is never the project's.
        if top and not is_provided(top):
            inner = name.replace(".", "/")
            for base in self.layout.import_roots:
                prefix = f"{base}/" if base else ""
                for candidate in (f"{prefix}{inner}/__init__.py", f"{prefix}{inner}.py"):
                    if os.path.isfile(os.path.join(self.layout.root, candidate)):
                        relative_path = candidate
                        break
                if relative_path:
                    break
        self._paths[name] = relative_path
        return relative_path

    def describe_state(self, name: str) -> str | None:
        """A module's file with its digest; None where there is none. What was read of it holds while this does."""
        if name not in self._states:
            path = self.find_path(name)
            self._states[name] = f"{path} {self.digest(path)}" if path else None
        return self._states[name]

    def find_folder(self, name: str) -> str | None:
        """The folder of a package without `__init__.py`, relative to the root; None where there is none."""
        if name not in self._folders:
            self._folders[name] = self._find_folder(name)
        return self._folders[name]

    def _find_folder(self, name: str) -> str | None:
        if not name or is_standard(name):
            return None
        for base in self.layout.import_roots:
            inner = f"{base}/{name.replace('.', '/')}" if base else name.replace(".", "/")
            if os.path.isdir(os.path.join(self.layout.root, inner)):
                return inner
        return None

    def get(self, name: str) -> Module | None:
        """One of the project's own modules, or None."""
        # Noted also where nothing is found: a file that comes later would change this answer.
        self.consulted.add(name)
        path = self.find_path(name)
        return self.load(path, name) if path else None

    def load(self, path: str, name: str) -> Module:
        """The module in a file, under a name."""
        module = self._modules.get((path, name))
        if module is None:
            is_package = path.rpartition("/")[2] == "__init__.py"
            module = Module(name, path, self.read_content(path), is_package, root=str(self.layout.root))
            self._modules[path, name] = module
        return module

    def find_installed(self, name: str) -> Module | None:
        """A module that is installed, read and not imported: an agent's base class may live there."""
        # Not followed: every project imports the standard library, and nothing in it is a node.
        if is_provided(name):
            return None
        key = ("", name)
        if key not in self._modules:
            inner = name.replace(".", os.sep)
            for entry in sys.path:
                for candidate in (os.path.join(entry, inner, "__init__.py"), os.path.join(entry, f"{inner}.py")):
                    if os.path.isfile(candidate):
                        content = Path(candidate).read_bytes()
                        is_package = candidate.endswith("__init__.py")
                        self._modules[key] = Module(name, candidate, content, is_package, own=False)
                        return self._modules[key]
            return None
        return self._modules[key]

    def read_content(self, path: str) -> bytes:
        """The bytes of a file, read once a scan."""
        content = self._contents.get(path)
        if content is None:
            try:
                with open(os.path.join(self.layout.root, path), "rb") as f:
                    content = f.read()
            except OSError as e:
                raise ScanError(
                    f"{path} cannot be read: {e.strerror}. Mend that, or leave it out with --exclude."
                ) from e
            self._contents[path] = content
        return content

    def digest(self, path: str) -> str:
        """sha256 of a file, as hex."""
        digest = self._digests.get(path)
        if digest is None:
            digest = self._digests[path] = sha256(self.read_content(path)).hexdigest()
        return digest
