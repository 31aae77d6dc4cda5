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

from graphbus_core.analysis.callers import Callers
from graphbus_core.analysis.file_reader import read_tree
from graphbus_core.analysis.files import ProjectFiles, derive_package
from graphbus_core.analysis.index import ClassRef, Container, ExternalRef, Index, Instance, Kind, ModuleRef, SuperRef
from graphbus_core.analysis.objects import ObjectResolver
from graphbus_core.analysis.scopes import Function
from graphbus_core.analysis.values import Class, Facts, Function as Noted, Values
from graphbus_core.editing.external_writes import ExternalWrites
from graphbus_core.editing.source import Source
from graphbus_core.editing.worktree import Worktree, iter_classes, list_methods
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.module_origin import is_ours, is_standard
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

ClassSource = tuple[Source, ast.ClassDef]


class Ownership(Enum):
    """Whether a receiver is an object of the class."""

    OURS = "ours"
    OTHER = "other"
    UNKNOWN = "unknown"


def map_parents(source: Source) -> dict[int, ast.AST]:
    """Every node's parent in a file."""
    parent_map: dict[int, ast.AST] | None = source.__dict__.get("_parents")
    if parent_map is None:
        parent_map = {id(c): p for p in ast.walk(source.tree) for c in ast.iter_child_nodes(p)}
        source.__dict__["_parents"] = parent_map
    return parent_map


def iter_ancestors(source: Source, node: ast.AST) -> Iterable[ast.AST]:
    """The nodes that hold a node, innermost first."""
    up = map_parents(source)
    ancestor = up.get(id(node))
    while ancestor is not None:
        yield ancestor
        ancestor = up.get(id(ancestor))


def collect_value_names(source: Source) -> frozenset[str]:
    """The words that a file uses as values, without calling them: `map(go, all)`, `{"a": go}`, `import go as g`."""
    words: frozenset[str] | None = source.__dict__.get("_handed_on")
    if words is None:
        name_nodes = [
            n for n in ast.walk(source.tree) if isinstance(n, ast.Name | ast.Attribute) and _is_used_as_value(source, n)
        ]
        again = [n.name for n in ast.walk(source.tree) if isinstance(n, ast.alias) and n.asname not in (None, n.name)]
        words = source.__dict__["_handed_on"] = frozenset({*map(last_name, name_nodes), *again})
    return words


def _is_used_as_value(source: Source, node: ast.expr) -> bool:
    """Whether a name is handed on where it stands, and not called, taken apart, or written as a type."""
    match map_parents(source).get(id(node)):
        case ast.Call(func=func):
            return func is not node and last_name(func) not in _TYPE_FUNCTIONS
        case ast.Tuple() as inside:
            return _is_used_as_value(source, inside)
        case ast.keyword(arg="default_factory"):  # called with nothing
            return False
        case ast.AnnAssign(annotation=part) | ast.FunctionDef(returns=part) | ast.AsyncFunctionDef(returns=part):
            return part is not node
        case at:
            return not isinstance(at, _NO_VALUE_PLACES)


_TYPE_FUNCTIONS = frozenset({"isinstance", "issubclass", "cast", "super", "TypeVar"})
_NO_VALUE_PLACES = (ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.ClassDef, ast.arg, ast.ExceptHandler)


class _WorktreeFiles(ProjectFiles):
    """The texts of a workspace as they stand, each read from the tree that is edited."""

    def __init__(self, work: Worktree) -> None:
        super().__init__(Path("."))
        self._work = work

    @cached_property
    def paths(self) -> Mapping[str, None]:
        """The workspace's files."""
        return dict.fromkeys(self._work.paths)

    def read_content(self, path: str) -> bytes:
        """A file's text; empty where it cannot be read."""
        try:
            return self._work.read_source(path).data
        except Refusal:
            return b""

    def __getitem__(self, path: str) -> Facts:
        return self.read_facts(path)[0]

    def read_facts(self, path: str) -> tuple[Facts, dict[int, Values]]:
        """A file's facts, and what each of its expressions may be."""
        try:
            source = self._work.read_source(path)
            cached: tuple[Facts, dict[int, Values]] | None = source.__dict__.get("_facts")
            if cached is None:
                nodes: dict[int, Values] = {}
                cached = read_tree(path, source.tree, derive_package(path), nodes), nodes
                source.__dict__["_facts"] = cached
            return cached
        except Refusal:
            return Facts(path), {}


class ReceiverJudge:
    """Judges receivers of `method` of a node."""

    def __init__(self, work: Worktree, node: str, method: str, target_class: ClassSource | None = None) -> None:
        """`meant`: judge objects of this class instead, one that is not a node: a contract's."""
        home, cls = owner_source, owner = target_class if target_class is not None else work.find_node_class(node)
        if target_class is None:
            with suppress(Refusal):
                owner_source, owner, _ = work.find_method(node, method)
        self.work, self.method, self.home, self.cls, self.owner = work, method, home, cls, owner
        self._texts = _WorktreeFiles(work)
        self._index = Index(self._texts)
        self._objects = ObjectResolver(self._index)
        self._objects.doubts = ExternalWrites(Callers(self._index, self._objects), self._is_handed_on)
        for agent in work.agents.values():
            self._objects.nodes[agent.name] = Instance(agent.source_file, agent.class_name)
        self._owner = self._identify_class(owner_source, owner)
        self._judged: dict[tuple[str, str], Ownership] = {}

    def _identify_class(self, source: Source, cls: ast.ClassDef) -> tuple[str, str]:
        known_classes = self._texts[source.path].classes
        return source.path, next((n for n, c in known_classes.items() if c.line == cls.lineno), cls.name)

    def judge_receiver(self, source: Source, expr: ast.expr) -> Ownership:
        """What the object is on which an attribute is looked up."""
        if isinstance(expr, ast.JoinedStr):
            return Ownership.OTHER
        kinds = self._infer_kinds(source, expr)
        judged = {self._judge_kind(kind) for kind in kinds}
        if judged <= {Ownership.UNKNOWN} and not any(
            isinstance(kind, Instance | ClassRef | SuperRef) for kind in kinds
        ):
            judged = self._ask_type_checker(source, expr)
        return judged.pop() if len(judged) == 1 else Ownership.UNKNOWN

    def _ask_type_checker(self, source: Source, expr: ast.expr) -> set[Ownership]:
        """What the type checker says of an object that our own reading cannot tell; empty where it cannot, either."""
        parent, checker = map_parents(source).get(id(expr)), self.work.checker
        # The place of the name itself: a file with a byte order mark, or in another encoding, counts other columns.
        if (
            checker is None
            or not isinstance(parent, ast.Attribute)
            or parent.attr != self.method
            or source.raw != source.data
        ):
            return set()
        column = (parent.end_col_offset or 0) - len(self.method.encode())
        changed = {path: now for path, (_, now) in self.work.collect_changes().items()}
        places = checker.find_definition(changed, source.path, parent.end_lineno or parent.lineno, column)
        return {self._judge_definition(place.path, place.line) for place in places}

    def _judge_definition(self, path: str, line: int) -> Ownership:
        """Whether a definition of that name, found by the checker, is the method."""
        if path not in self._texts:  # a library's: the class may come from it, or be taken for its protocol
            return Ownership.UNKNOWN
        for name, cls in iter_classes(self.work.read_source(path).tree):
            if any(f.name == self.method and f.lineno == line for f in list_methods(cls)):
                return self._judge_kind(Instance(path, name))
        return Ownership.UNKNOWN

    def _infer_kinds(self, source: Source, expr: ast.expr) -> tuple[Kind, ...]:
        return self._objects.resolve(source.path, self._texts.read_facts(source.path)[1].get(id(expr), ()))

    def _is_handed_on(self, path: str, function: Noted | Class) -> bool:
        """Whether code that is not followed may call a function: it is named without a call, or stands for another.

        Of a constructor that holds for its class.
        """
        word = function.name.rpartition(".")[2]
        if isinstance(function, Class):
            return any(word in collect_value_names(source) for source in self._find_sources_naming(word))
        if function.cls and word in ("__init__", "__post_init__"):
            word = function.cls.rpartition(".")[2]
        elif function.cls:
            family = list(self._index.iter_classes(path, function.cls))
            if any(word in cls.methods for _, cls in family[1:]):
                return True
        return any(word in collect_value_names(source) for source in self._find_sources_naming(word))

    def _find_sources_naming(self, word: str) -> Iterator[Source]:
        for path in self._texts:
            if word.encode() in self._texts.read_content(path):
                with suppress(Refusal):
                    yield self.work.read_source(path)

    def count_unbound_arguments(self, source: Source, expr: ast.expr) -> int:
        """1 where the method is called on the class, and its object is the first argument."""
        words = {
            getattr(d, "id", "") for f in list_methods(self.owner) if f.name == self.method for d in f.decorator_list
        }
        on_class = any(isinstance(kind, ClassRef) for kind in self._infer_kinds(source, expr))
        return 1 if on_class and not words & {"classmethod", "staticmethod"} else 0

    def _judge_kind(self, kind: Kind) -> Ownership:
        match kind:
            case Instance(path=path, name=name) | ClassRef(path=path, name=name):
                if (path, name) not in self._judged:
                    self._judged[path, name] = self._judge_class(path, name)
                return self._judged[path, name]
            case SuperRef(path=path, name=name):
                family = self._index.find_family(path, name)[1:]
                first = self._find_first_definer(family)
                if first is None and self._owner in family:
                    return Ownership.UNKNOWN
                if first != self._owner and any((path, name) in heirs for heirs in self._subclass_families):
                    return Ownership.UNKNOWN  # another base of an heir: behind it may stand the owner
                return Ownership.OURS if first == self._owner else Ownership.OTHER
            case ExternalRef(name=name):
                # Annotated with a library's class: it may be the very one that the class, or an heir, comes from.
                by_class = "." in name and "()" not in name and not name.startswith("builtins.")
                open_ = by_class and any(None in family for family in self._subclass_families)
                return Ownership.UNKNOWN if open_ else _judge_outside(name, self.method)
            case Container() | ModuleRef():
                return Ownership.OTHER
        return Ownership.UNKNOWN

    def _find_first_definer(self, family: Iterable[tuple[str, str] | None]) -> tuple[str, str] | None:
        """The first class that defines the method."""
        for member in family:
            cls = self._index.find_class(*member) if member is not None else None
            if cls is not None and self.method in cls.methods:
                return member
        return None

    def _judge_class(self, path: str, name: str) -> Ownership:
        family = self._index.find_family(path, name)
        if self._owner in family:
            return (
                Ownership.OURS if (self._find_first_definer(family) or self._owner) == self._owner else Ownership.OTHER
            )
        known_classes = [cls for _, cls in self._index.iter_classes(path, name)]
        if any(base.rpartition(".")[2].partition("[")[0] == "Protocol" for cls in known_classes for base in cls.bases):
            return Ownership.UNKNOWN
        if any(self._has_unknown_base(base_path, cls) for base_path, cls in self._index.iter_classes(path, name)):
            return Ownership.UNKNOWN
        handing = {"__getattr__", "__getattribute__"}
        if self._find_first_definer(family) is None and any(handing & cls.methods.keys() for cls in known_classes):
            return Ownership.UNKNOWN  # it may hand the call to anything
        return Ownership.UNKNOWN if any((path, name) in heirs for heirs in self._subclass_families) else Ownership.OTHER

    def _has_unknown_base(self, path: str, cls: Class) -> bool:
        """Whether a base is written that is not a class by name, and may be one of the project: `base = Node`."""
        for word in cls.bases:
            definition = self._index.look_up_dotted(path, word.partition("[")[0])
            if definition is None or (
                isinstance(definition, tuple) and not _is_outside(self._objects.resolve(*definition))
            ):
                return True
        return False

    @cached_property
    def _subclass_families(self) -> list[tuple[tuple[str, str] | None, ...]]:
        """The families of the classes that come from the owner, its own with them."""
        families = (self._index.find_family(path, name) for path in self._texts for name in self._texts[path].classes)
        return [family for family in families if self._owner in family]

    def find_overrides(self) -> Iterator[tuple[Source, ast.ClassDef, Function]]:
        """The methods of that name in classes that come from the owner."""
        for family in self._subclass_families:
            first = family[0]
            if first is None or first == self._owner:
                continue
            source, line = self.work.read_source(first[0]), self._texts[first[0]].classes[first[1]].line
            for _, cls in iter_classes(source.tree):
                if cls.lineno == line:
                    yield from ((source, cls, f) for f in list_methods(cls) if f.name == self.method)


def _is_outside(kinds: Iterable[Kind]) -> bool:
    return all(isinstance(kind, ExternalRef) for kind in kinds)


def _judge_outside(name: str, method: str) -> Ownership:
    """An object that is not of the project's: another's where it cannot be, or hold, what the project made.

    `types.SimpleNamespace.packer`, `click.Context.obj`, `sys.modules[].Packer` may be anything: what lies in an object
    of a library's class, or comes out of its functions, is only known for what holds nothing of others.
    """
    return Ownership.OTHER if not is_ours(name) and _is_self_contained(name, method) else Ownership.UNKNOWN


def _is_self_contained(name: str, method: str) -> bool:
    top, _, rest = name.partition(".")
    is_called = "()" in name
    if top in _CLOSED:
        return True
    if top == "builtins":
        return rest.partition("()")[0].partition(".")[0] in _SCALARS or rest.isidentifier()
    if top == "logging":  # its loggers; what lies in a record, an adapter or a list of handlers is anybody's
        return "[]" not in name and len(rest.split(".")) <= 2 and (is_called or rest.isidentifier())
    if top == "sqlite3":  # a row is what its factory makes
        return "[]" not in name and "fetch" not in name
    if top in _PLAIN:
        return not is_called or hasattr(dict, method) or hasattr(list, method)
    if is_called or "[]" in name or top in ("container", "function", "typing"):
        return False
    return _is_plain_name(rest, is_standard(name))


def _is_plain_name(rest: str, standard: bool) -> bool:
    """A module, a class or a constant of a library: not what lies in an object of its class."""
    *above, last = rest.split(".")
    if any(part[:1].isupper() for part in above) or any(word in last for word in _STANDING_FOR):
        return False
    return standard or (not last.isupper() and (last[:1].isupper() or not above))
