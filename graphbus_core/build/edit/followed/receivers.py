"""Whose method is called: of the class that changes, of another, or nobody can tell.

What an object is, the room `understand` says, asked on the texts as they stand between two operations. A name alone
proves nothing: what is not known to be of the class is never rewritten.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import cached_property
from pathlib import Path

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.followed.puts import Puts
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import Worktree, classes, functions
from graphbus_core.build.understand.callers import Callers
from graphbus_core.build.understand.index import Above, Box, Index, Kind, Module, Outside, Thing, Type
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.build.understand.objects import Objects
from graphbus_core.build.understand.text.files import Texts, package_of
from graphbus_core.build.understand.text.values import Class, Facts, Function as Noted, Values
from graphbus_core.build.understand.text.whole_file import read_tree
from graphbus_core.origin import is_ours, is_standard
from graphbus_core.syntax import last_name

# modules whose functions and objects hold what is their own, and never what a project made
_CLOSED = frozenset(
    """ast base64 binascii bz2 calendar codecs csv datetime decimal difflib email errno fnmatch fractions getpass glob
    gzip hashlib hmac html io ipaddress locale lzma math mimetypes os pathlib platform pprint re secrets shlex
    shutil socket ssl stat string struct subprocess tarfile tempfile textwrap time timeit tokenize unicodedata
    urllib uuid warnings webbrowser xml zipfile zlib zoneinfo""".split()  # noqa: SIM905
)
_PLAIN = frozenset({"json", "tomllib", "plistlib"})  # they give dicts and lists, unless a hook makes something else
_STANDING_FOR = ("Mock", "Proxy")  # classes whose objects hand calls on to another one
_SCALARS = ("str", "int", "float", "bool", "bytes", "bytearray", "complex", "len", "repr", "format", "open", "sum")

Written = tuple[Source, ast.ClassDef]


class Is(Enum):
    """Whether a receiver is an object of the class."""

    OURS = "ours"
    OTHER = "other"
    UNKNOWN = "unknown"


def parents(source: Source) -> dict[int, ast.AST]:
    """Every node's parent in a file."""
    found: dict[int, ast.AST] | None = source.__dict__.get("_parents")
    if found is None:
        found = {id(c): p for p in ast.walk(source.tree) for c in ast.iter_child_nodes(p)}
        source.__dict__["_parents"] = found
    return found


def around(source: Source, node: ast.AST) -> Iterable[ast.AST]:
    """The nodes that hold a node, innermost first."""
    up = parents(source)
    at = up.get(id(node))
    while at is not None:
        yield at
        at = up.get(id(at))


def used_as_values(source: Source) -> frozenset[str]:
    """The words that a file uses as values, without calling them: `map(go, all)`, `{"a": go}`, `import go as g`."""
    found: frozenset[str] | None = source.__dict__.get("_handed_on")
    if found is None:
        named = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name | ast.Attribute) and _is_value(source, n)]
        again = [n.name for n in ast.walk(source.tree) if isinstance(n, ast.alias) and n.asname not in (None, n.name)]
        found = source.__dict__["_handed_on"] = frozenset({*map(last_name, named), *again})
    return found


def _is_value(source: Source, node: ast.expr) -> bool:
    """Whether a name is handed on where it stands, and not called, taken apart, or written as a type."""
    match parents(source).get(id(node)):
        case ast.Call(func=func):
            return func is not node and last_name(func) not in _ASKING
        case ast.Tuple() as inside:
            return _is_value(source, inside)
        case ast.keyword(arg="default_factory"):  # called with nothing
            return False
        case ast.AnnAssign(annotation=part) | ast.FunctionDef(returns=part) | ast.AsyncFunctionDef(returns=part):
            return part is not node
        case at:
            return not isinstance(at, _WRITTEN)


_ASKING = frozenset({"isinstance", "issubclass", "cast", "super", "TypeVar"})
_WRITTEN = (ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.ClassDef, ast.arg, ast.ExceptHandler)


class _Standing(Texts):
    """The texts of a workspace as they stand, each read from the tree that is edited."""

    def __init__(self, work: Worktree) -> None:
        super().__init__(Path("."))
        self._work = work

    @cached_property
    def paths(self) -> Mapping[str, None]:
        """The workspace's files."""
        return dict.fromkeys(self._work.paths)

    def content(self, path: str) -> bytes:
        """A file's text; empty where it cannot be read."""
        try:
            return self._work.source(path).data
        except Refusal:
            return b""

    def __getitem__(self, path: str) -> Facts:
        return self.read(path)[0]

    def read(self, path: str) -> tuple[Facts, dict[int, Values]]:
        """A file's facts, and what each of its expressions may be."""
        try:
            source = self._work.source(path)
            known: tuple[Facts, dict[int, Values]] | None = source.__dict__.get("_facts")
            if known is None:
                nodes: dict[int, Values] = {}
                known = read_tree(path, source.tree, package_of(path), nodes), nodes
                source.__dict__["_facts"] = known
            return known
        except Refusal:
            return Facts(path), {}


class Receivers:
    """Judges receivers of `method` of a node."""

    def __init__(self, work: Worktree, node: str, method: str, meant: Written | None = None) -> None:
        """`meant`: judge objects of this class instead, one that is not a node: a contract's."""
        home, cls = at, owner = meant if meant is not None else work.node(node)
        if meant is None:
            with suppress(Refusal):
                at, owner, _ = work.method(node, method)
        self.work, self.method, self.home, self.cls, self.owner = work, method, home, cls, owner
        self._texts = _Standing(work)
        self._index = Index(self._texts)
        self._objects = Objects(self._index)
        self._objects.doubts = Puts(Callers(self._index, self._objects), self._is_handed_on)
        for agent in work.agents.values():
            self._objects.nodes[agent.name] = Thing(agent.source_file, agent.class_name)
        self._owner = self._named(at, owner)
        self._judged: dict[tuple[str, str], Is] = {}

    def _named(self, source: Source, cls: ast.ClassDef) -> tuple[str, str]:
        known = self._texts[source.path].classes
        return source.path, next((n for n, c in known.items() if c.line == cls.lineno), cls.name)

    def of(self, source: Source, expr: ast.expr) -> Is:
        """What the object is on which an attribute is looked up."""
        if isinstance(expr, ast.JoinedStr):
            return Is.OTHER
        kinds = self._kinds(source, expr)
        judged = {self._verdict(kind) for kind in kinds}
        if judged <= {Is.UNKNOWN} and not any(isinstance(kind, Thing | Type | Above) for kind in kinds):
            judged = self._checked(source, expr)
        return judged.pop() if len(judged) == 1 else Is.UNKNOWN

    def _checked(self, source: Source, expr: ast.expr) -> set[Is]:
        """What the type checker says of an object that our own reading cannot tell; empty where it cannot, either."""
        at, checker = parents(source).get(id(expr)), self.work.checker
        # The place of the name itself: a file with a byte order mark, or in another encoding, counts other columns.
        if checker is None or not isinstance(at, ast.Attribute) or at.attr != self.method or source.raw != source.data:
            return set()
        column = (at.end_col_offset or 0) - len(self.method.encode())
        changed = {path: now for path, (_, now) in self.work.changed().items()}
        found = checker.definition(changed, source.path, at.end_lineno or at.lineno, column)
        return {self._defined(one.path, one.line) for one in found}

    def _defined(self, path: str, line: int) -> Is:
        """Whether a definition of that name, found by the checker, is the method."""
        if path not in self._texts:  # a library's: the class may come from it, or be taken for its protocol
            return Is.UNKNOWN
        for name, cls in classes(self.work.source(path).tree):
            if any(f.name == self.method and f.lineno == line for f in functions(cls)):
                return self._verdict(Thing(path, name))
        return Is.UNKNOWN

    def _kinds(self, source: Source, expr: ast.expr) -> tuple[Kind, ...]:
        return self._objects.of(source.path, self._texts.read(source.path)[1].get(id(expr), ()))

    def _is_handed_on(self, path: str, function: Noted | Class) -> bool:
        """Whether code that is not followed may call a function: it is spoken of without a call, or stands for another.

        Of a constructor that is said of its class.
        """
        word = function.name.rpartition(".")[2]
        if isinstance(function, Class):
            return any(word in used_as_values(source) for source in self._naming(word))
        if function.cls and word in ("__init__", "__post_init__"):
            word = function.cls.rpartition(".")[2]
        elif function.cls:
            family = list(self._index.classes(path, function.cls))
            if any(word in cls.methods for _, cls in family[1:]):
                return True
        return any(word in used_as_values(source) for source in self._naming(word))

    def _naming(self, word: str) -> Iterator[Source]:
        for path in self._texts:
            if word.encode() in self._texts.content(path):
                with suppress(Refusal):
                    yield self.work.source(path)

    def unbound(self, source: Source, expr: ast.expr) -> int:
        """1 where the method is called on the class, and its object is the first argument."""
        words = {getattr(d, "id", "") for f in functions(self.owner) if f.name == self.method for d in f.decorator_list}
        on_class = any(isinstance(kind, Type) for kind in self._kinds(source, expr))
        return 1 if on_class and not words & {"classmethod", "staticmethod"} else 0

    def _verdict(self, kind: Kind) -> Is:
        match kind:
            case Thing(path=path, name=name) | Type(path=path, name=name):
                if (path, name) not in self._judged:
                    self._judged[path, name] = self._related(path, name)
                return self._judged[path, name]
            case Above(path=path, name=name):
                family = self._index.family(path, name)[1:]
                first = self._first(family)
                if first is None and self._owner in family:
                    return Is.UNKNOWN
                if first != self._owner and any((path, name) in heirs for heirs in self._heirs):
                    return Is.UNKNOWN  # another base of an heir: behind it may stand the owner
                return Is.OURS if first == self._owner else Is.OTHER
            case Outside(name=name):
                # Annotated with a library's class: it may be the very one that the class, or an heir, comes from.
                by_class = "." in name and "()" not in name and not name.startswith("builtins.")
                open_ = by_class and any(None in family for family in self._heirs)
                return Is.UNKNOWN if open_ else _outside(name, self.method)
            case Box() | Module():
                return Is.OTHER
        return Is.UNKNOWN

    def _first(self, family: Iterable[tuple[str, str] | None]) -> tuple[str, str] | None:
        """The first class that defines the method."""
        for at in family:
            cls = self._index.cls(*at) if at is not None else None
            if cls is not None and self.method in cls.methods:
                return at
        return None

    def _related(self, path: str, name: str) -> Is:
        family = self._index.family(path, name)
        if self._owner in family:
            return Is.OURS if (self._first(family) or self._owner) == self._owner else Is.OTHER
        known = [cls for _, cls in self._index.classes(path, name)]
        if any(base.rpartition(".")[2].partition("[")[0] == "Protocol" for cls in known for base in cls.bases):
            return Is.UNKNOWN
        if any(self._unknown_base(at, cls) for at, cls in self._index.classes(path, name)):
            return Is.UNKNOWN
        handing = {"__getattr__", "__getattribute__"}
        if self._first(family) is None and any(handing & cls.methods.keys() for cls in known):
            return Is.UNKNOWN  # it may hand the call to anything
        return Is.UNKNOWN if any((path, name) in heirs for heirs in self._heirs) else Is.OTHER

    def _unknown_base(self, path: str, cls: Class) -> bool:
        """Whether a base is written that is no class by name, and may be one of the project: `base = Node`."""
        for word in cls.bases:
            found = self._index.dotted(path, word.partition("[")[0])
            if found is None or (isinstance(found, tuple) and not _is_outside(self._objects.of(*found))):
                return True
        return False

    @cached_property
    def _heirs(self) -> list[tuple[tuple[str, str] | None, ...]]:
        """The families of the classes that come from the owner, its own with them."""
        families = (self._index.family(path, name) for path in self._texts for name in self._texts[path].classes)
        return [family for family in families if self._owner in family]

    def overriders(self) -> Iterator[tuple[Source, ast.ClassDef, Function]]:
        """The methods of that name in classes that come from the owner."""
        for family in self._heirs:
            first = family[0]
            if first is None or first == self._owner:
                continue
            source, line = self.work.source(first[0]), self._texts[first[0]].classes[first[1]].line
            for _, cls in classes(source.tree):
                if cls.lineno == line:
                    yield from ((source, cls, f) for f in functions(cls) if f.name == self.method)


def _is_outside(kinds: Iterable[Kind]) -> bool:
    return all(isinstance(kind, Outside) for kind in kinds)


def _outside(name: str, method: str) -> Is:
    """An object that is not of the project's: another's where it cannot be, or hold, what the project made.

    `types.SimpleNamespace.packer`, `click.Context.obj`, `sys.modules[].Packer` may be anything: what lies in an object
    of a library's class, or comes out of its functions, is only known for what holds nothing of others.
    """
    return Is.OTHER if not is_ours(name) and _holds_its_own(name, method) else Is.UNKNOWN


def _holds_its_own(name: str, method: str) -> bool:
    top, _, rest = name.partition(".")
    made = "()" in name
    if top in _CLOSED:
        return True
    if top == "builtins":
        return rest.partition("()")[0].partition(".")[0] in _SCALARS or rest.isidentifier()
    if top == "logging":  # its loggers; what lies in a record, an adapter or a list of handlers is anybody's
        return "[]" not in name and len(rest.split(".")) <= 2 and (made or rest.isidentifier())
    if top == "sqlite3":  # a row is what its factory makes
        return "[]" not in name and "fetch" not in name
    if top in _PLAIN:
        return not made or hasattr(dict, method) or hasattr(list, method)
    if made or "[]" in name or top in ("container", "function", "typing"):
        return False
    return _is_plain_name(rest, is_standard(name))


def _is_plain_name(rest: str, standard: bool) -> bool:
    """A module, a class or a constant of a library: not what lies in an object of its class."""
    *above, last = rest.split(".")
    if any(part[:1].isupper() for part in above) or any(word in last for word in _STANDING_FOR):
        return False
    return standard or (not last.isupper() and (last[:1].isupper() or not above))
