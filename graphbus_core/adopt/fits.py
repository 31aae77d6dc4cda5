"""Whether a value of one shape can be taken where another is wanted. Only a clear no is a no."""

from __future__ import annotations

import ast
import builtins
import enum

from graphbus_core.adopt.asked import AskedSignatures
from graphbus_core.adopt.known.shapes import ANY, NONE, UNKNOWN, Keyed, Made, Many, Mapped, Plain, Row, Shape, options
from graphbus_core.build.understand.index import Outside

PLAIN_CLASS = {"dataclass", "total_ordering", "final"}
SIMPLE = {"str", "int", "float", "bool", "bytes"}
WIDENS = {("bool", "int"), ("bool", "float"), ("int", "float"), ("bool", "complex"), ("int", "complex")}
TAKES = {  # kind of container that is wanted -> kinds that are one
    "Iterable": {"list", "set", "frozenset", "tuple", "Iterator", "Sequence", "Collection", "deque", "dict", "str"},
    "Collection": {"list", "set", "frozenset", "tuple", "Sequence", "deque", "dict", "str"},
    "Sequence": {"list", "tuple", "deque", "str", "bytes"},
    "MutableSequence": {"list", "deque"},
    "AbstractSet": {"set", "frozenset"},
}
CLEAR = {"list", "set", "frozenset", "tuple", "dict"}
# Classes from outside whose attributes are known; objects of a class with another base may have any.
ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
MODELS = {"BaseModel", "BaseSettings"}
PYDANTIC = frozenset(
    """dict json copy parse_obj parse_raw from_orm construct schema schema_json validate update_forward_refs fields
    model_dump model_dump_json model_validate model_copy model_construct model_fields model_config model_extra
    model_fields_set model_json_schema model_rebuild model_computed_fields Config""".split()  # noqa: SIM905
)


class Fits:
    """Judges shapes against each other, with the classes of a project."""

    def __init__(self, signatures: AskedSignatures) -> None:
        self.signatures, self.index = signatures, signatures.index

    def contradicts(self, given: Shape, wanted: Shape) -> bool:
        """Whether nothing that is given can be taken. Unknown contradicts nothing."""
        if UNKNOWN in (given, wanted):
            return False
        some = [one for one in options(given) if one != NONE]
        return bool(some) and all(self._refused(one, two) for one in some for two in options(wanted))

    def _refused(self, given: Shape, wanted: Shape) -> bool:
        if wanted == NONE:
            return True
        if wanted == ANY or not self._clear(given) or not self._clear(wanted):
            return False
        one, two = _kind(given), _kind(wanted)
        if isinstance(given, Made) and isinstance(wanted, Made):
            return not any(
                (wanted.path, wanted.name) in self.index.family(*at)
                for at in [(given.path, given.name), *self.signatures.below((given.path, given.name))]
            )
        return one != two and (one, two) not in WIDENS and one not in TAKES.get(two, ())

    def _clear(self, shape: Shape) -> bool:
        match shape:
            case Plain(name=name):
                return name in SIMPLE
            case Many(kind=kind):
                return kind in CLEAR or kind in TAKES
            case Row() | Keyed() | Mapped():
                return True
            case Made(path=path, name=name):
                return self.outside(path, name) == set() and not self._forwards(path, name)
        return False

    def _forwards(self, path: str, name: str) -> bool:
        """Whether an object stands for another one."""
        return any("__getattr__" in cls.methods for _, cls in self.index.classes(path, name))

    def outside(self, path: str, name: str) -> set[str]:
        """The bases of a class that are not the project's, by their last word; `?` for one that nobody can read."""
        found: set[str] = set()
        for where, cls in self.index.classes(path, name):
            for base in cls.bases:
                named = self.index.dotted(where, base.partition("[")[0])
                match named:
                    case Outside(name=dotted):
                        last = dotted.rpartition(".")[2]
                        if last not in ("object", "ABC", "Generic"):
                            # A library's `ConnectionError` is not that of Python.
                            shadows = hasattr(builtins, last) and dotted not in (last, f"builtins.{last}")
                            found.add(dotted if shadows else last)
                    case None | tuple():
                        found.add("?")
            written = self.signatures.sources.cls(where, cls.name)
            if (
                written is None
                or any(k.arg not in ("total",) for k in written.keywords if k.arg != "metaclass")
                or any(k.arg == "metaclass" and "ABCMeta" not in ast.unparse(k.value) for k in written.keywords)
            ):
                found.add("?")
        return found

    def lacks(self, shape: Shape, attr: str) -> bool:
        """Whether a value of this shape surely has no such attribute."""
        match shape:
            case Plain(name=name) if name in SIMPLE:
                return not hasattr(getattr(builtins, name), attr)
            case Many(kind=kind) if kind in CLEAR:
                return not hasattr(getattr(builtins, kind), attr)
            case Row():
                return not hasattr(tuple, attr)
            case Keyed() | Mapped(kind="dict"):
                return not hasattr(dict, attr) and attr not in ("move_to_end", "default_factory")
            case Made(path=path, name=name):
                return self._lacks(path, name, attr)
        return False

    def class_lacks(self, path: str, name: str, attr: str) -> bool:
        """Whether `Class.attr` is surely not there: a member of an Enum, an attribute of a plain class."""
        outside = self.outside(path, name)
        if not outside <= ENUMS or any(hasattr(getattr(enum, one), attr) for one in outside or {"Enum"}):
            return False
        if attr.startswith("_") or attr in self.signatures.set_from_outside or attr == "mro":
            return False
        heirs = self.signatures.below((path, name))
        classes = [at for cls in [(path, name), *heirs] for at in self.index.family(*cls)]
        return not any(at is None or self._has(at, attr) for at in classes) and not outside - ENUMS

    def _lacks(self, path: str, name: str, attr: str) -> bool:
        if attr.startswith("__") or attr in self.signatures.set_from_outside:
            return False
        outside = self.outside(path, name)
        if attr not in PYDANTIC:
            outside -= MODELS
        if "NamedTuple" in outside and not attr.startswith("_") and not hasattr(tuple, attr):
            outside.discard("NamedTuple")
        errors = {one for one in outside if _is_error(one)}
        if any(hasattr(getattr(builtins, o), attr) for o in errors) or outside - errors:
            return False
        heirs = self.signatures.below((path, name))
        classes = [at for cls in [(path, name), *heirs] for at in self.index.family(*cls) if at is not None]
        if any(self._has(at, attr) for at in classes):
            return False
        # What a test derives from a class, and from who knows what else, says nothing of the objects of the program.
        own = [at for at in classes if not self.signatures.is_test(at[0])]
        return not any(self.outside(*at) - MODELS - {"NamedTuple"} - errors for at in own)

    def _has(self, at: tuple[str, str], attr: str) -> bool:
        cls = self.index.cls(*at)
        if cls is None:
            return True
        dynamic = {"__getattr__", "__getattribute__", "__setattr__"} & set(cls.methods)
        written = attr in cls.methods or attr in cls.hints or attr in cls.stored or attr in cls.attributes
        strange = {d.partition("(")[0].rpartition(".")[2] for d in cls.decorators} - PLAIN_CLASS
        return bool(dynamic) or written or attr in cls.inner or bool(strange) or at in self.signatures.dynamic


def _is_error(name: str) -> bool:
    """Whether a word is an exception of Python's own."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _kind(shape: Shape) -> str:
    match shape:
        case Plain(name=name):
            return name
        case Many(kind=kind):
            return kind
        case Row():
            return "tuple"
        case Keyed() | Mapped():
            return "dict"
    return "object"
