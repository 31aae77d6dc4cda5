"""Whether a value of one shape can be taken where another is wanted. Only a clear no is a no."""

from __future__ import annotations

import ast
import builtins
import enum

from graphbus_core.analysis.index import ExternalRef
from graphbus_core.inference.interfaces import SignatureLookup
from graphbus_core.inference.shapes import (
    ANY,
    NONE,
    UNKNOWN,
    ContainerShape,
    InstanceShape,
    MappingShape,
    PlainShape,
    RecordShape,
    Shape,
    TupleShape,
    expand_union,
)

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


class ShapeChecker:
    """Judges shapes against each other, with the classes of a project."""

    def __init__(self, signatures: SignatureLookup) -> None:
        self.signatures, self.index = signatures, signatures.index

    def contradicts(self, actual: Shape, expected: Shape) -> bool:
        """Whether nothing that is given can be taken. Unknown contradicts nothing."""
        if UNKNOWN in (actual, expected):
            return False
        some = [option for option in expand_union(actual) if option != NONE]
        return bool(some) and all(
            self._is_refused(option, expected_option) for option in some for expected_option in expand_union(expected)
        )

    def _is_refused(self, actual: Shape, expected: Shape) -> bool:
        if expected == NONE:
            return True
        if expected == ANY or not self._is_clear(actual) or not self._is_clear(expected):
            return False
        actual_kind, expected_kind = _classify(actual), _classify(expected)
        if isinstance(actual, InstanceShape) and isinstance(expected, InstanceShape):
            return not any(
                (expected.path, expected.name) in self.index.find_family(*class_key)
                for class_key in [
                    (actual.path, actual.name),
                    *self.signatures.list_subclasses((actual.path, actual.name)),
                ]
            )
        return (
            actual_kind != expected_kind
            and (actual_kind, expected_kind) not in WIDENS
            and actual_kind not in TAKES.get(expected_kind, ())
        )

    def _is_clear(self, shape: Shape) -> bool:
        match shape:
            case PlainShape(name=name):
                return name in SIMPLE
            case ContainerShape(kind=kind):
                return kind in CLEAR or kind in TAKES
            case TupleShape() | RecordShape() | MappingShape():
                return True
            case InstanceShape(path=path, name=name):
                return self.find_outside_bases(path, name) == set() and not self._is_proxy(path, name)
        return False

    def _is_proxy(self, path: str, name: str) -> bool:
        """Whether an object stands for another one."""
        return any("__getattr__" in cls.methods for _, cls in self.index.iter_classes(path, name))

    def find_outside_bases(self, path: str, name: str) -> set[str]:
        """The bases of a class that are not the project's, by their last word; `?` for one that nobody can read."""
        outside_bases: set[str] = set()
        for where, cls in self.index.iter_classes(path, name):
            for base in cls.bases:
                resolved = self.index.look_up_dotted(where, base.partition("[")[0])
                match resolved:
                    case ExternalRef(name=dotted):
                        last = dotted.rpartition(".")[2]
                        if last not in ("object", "ABC", "Generic"):
                            # A library's `ConnectionError` is not that of Python.
                            shadows = hasattr(builtins, last) and dotted not in (last, f"builtins.{last}")
                            outside_bases.add(dotted if shadows else last)
                    case None | tuple():
                        outside_bases.add("?")
            class_node = self.signatures.sources.find_class(where, cls.name)
            if (
                class_node is None
                or any(k.arg not in ("total",) for k in class_node.keywords if k.arg != "metaclass")
                or any(k.arg == "metaclass" and "ABCMeta" not in ast.unparse(k.value) for k in class_node.keywords)
            ):
                outside_bases.add("?")
        return outside_bases

    def lacks(self, shape: Shape, attr: str) -> bool:
        """Whether a value of this shape surely has no such attribute."""
        match shape:
            case PlainShape(name=name) if name in SIMPLE:
                return not hasattr(getattr(builtins, name), attr)
            case ContainerShape(kind=kind) if kind in CLEAR:
                return not hasattr(getattr(builtins, kind), attr)
            case TupleShape():
                return not hasattr(tuple, attr)
            case RecordShape() | MappingShape(kind="dict"):
                return not hasattr(dict, attr) and attr not in ("move_to_end", "default_factory")
            case InstanceShape(path=path, name=name):
                return self._instance_lacks(path, name, attr)
        return False

    def class_lacks(self, path: str, name: str, attr: str) -> bool:
        """Whether `Class.attr` is surely not there: a member of an Enum, an attribute of a plain class."""
        outside = self.find_outside_bases(path, name)
        if not outside <= ENUMS or any(hasattr(getattr(enum, base_name), attr) for base_name in outside or {"Enum"}):
            return False
        if attr.startswith("_") or attr in self.signatures.set_from_outside or attr == "mro":
            return False
        heirs = self.signatures.list_subclasses((path, name))
        classes = [class_key for cls in [(path, name), *heirs] for class_key in self.index.find_family(*cls)]
        return (
            not any(class_key is None or self._has_attribute(class_key, attr) for class_key in classes)
            and not outside - ENUMS
        )

    def _instance_lacks(self, path: str, name: str, attr: str) -> bool:
        if attr.startswith("__") or attr in self.signatures.set_from_outside:
            return False
        outside = self.find_outside_bases(path, name)
        if attr not in PYDANTIC:
            outside -= MODELS
        if "NamedTuple" in outside and not attr.startswith("_") and not hasattr(tuple, attr):
            outside.discard("NamedTuple")
        errors = {base_name for base_name in outside if _is_error(base_name)}
        if any(hasattr(getattr(builtins, o), attr) for o in errors) or outside - errors:
            return False
        heirs = self.signatures.list_subclasses((path, name))
        classes = [
            class_key
            for cls in [(path, name), *heirs]
            for class_key in self.index.find_family(*cls)
            if class_key is not None
        ]
        if any(self._has_attribute(class_key, attr) for class_key in classes):
            return False
        # What a test derives from a class, and from who knows what else, says nothing of the objects of the program.
        own = [class_key for class_key in classes if not self.signatures.is_test(class_key[0])]
        return not any(self.find_outside_bases(*class_key) - MODELS - {"NamedTuple"} - errors for class_key in own)

    def _has_attribute(self, class_key: tuple[str, str], attr: str) -> bool:
        cls = self.index.find_class(*class_key)
        if cls is None:
            return True
        dynamic = {"__getattr__", "__getattribute__", "__setattr__"} & set(cls.methods)
        is_written = attr in cls.methods or attr in cls.hints or attr in cls.stored or attr in cls.attributes
        strange = {d.partition("(")[0].rpartition(".")[2] for d in cls.decorators} - PLAIN_CLASS
        return (
            bool(dynamic)
            or is_written
            or attr in cls.inner
            or bool(strange)
            or class_key in self.signatures.dynamic_classes
        )


def _is_error(name: str) -> bool:
    """Whether a word is an exception of Python's own."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _classify(shape: Shape) -> str:
    match shape:
        case PlainShape(name=name):
            return name
        case ContainerShape(kind=kind):
            return kind
        case TupleShape():
            return "tuple"
        case RecordShape() | MappingShape():
            return "dict"
    return "object"
