"""A function -> what it takes and gives, each part with a level and where it comes from.

A hint is declared. What every `return` shows is certain. A default or a docstring makes a type likely. A hint that says
less than the code (`-> dict` over `return {"sku": …}`) is refined by it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cached_property

from graphbus_core import syntax
from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.index import FunctionRef
from graphbus_core.analysis.values import Function
from graphbus_core.inference.interfaces import InferredSignature, SignatureLookup, TakenParameter
from graphbus_core.inference.shape_checker import PLAIN_CLASS, ShapeChecker
from graphbus_core.inference.shapes import (
    ANY,
    DARK,
    NONE,
    UNKNOWN,
    Certainty,
    ContainerShape,
    InstanceShape,
    KnownShape,
    MappingShape,
    PlainShape,
    RecordShape,
    Shape,
    expand_union,
    join_known,
    join_shapes,
)
from graphbus_core.inference.source import CodeScope, FunctionNode, HintReader, Sources, can_reach_end, is_stub
from graphbus_core.inference.values import LOOKING, MUTATING, ExpressionShapes
from graphbus_core.syntax import called_name, last_name, walk_body

# What an object of the project has: `value.attr`, and the function that `value.attr(…)` calls.


class Members:
    """Attributes and methods by class, each worked out once."""

    def __init__(self, signatures: SignatureLookup) -> None:
        self.signatures = signatures
        self._stored_known: dict[tuple[str, str, str], KnownShape | None] = {}

    def find_attribute(self, shape: Shape, attr: str) -> KnownShape | None:
        """`value.attr` of an object of the project; None where nobody can tell."""
        if not isinstance(shape, InstanceShape):
            return None
        for ancestor in self.signatures.index.find_family(shape.path, shape.name):
            cls = self.signatures.index.find_class(*ancestor) if ancestor is not None else None
            if ancestor is None or cls is None:
                # A base outside of the project may have anything, also under this very name.
                return None
            if attr in cls.methods:
                function = self.signatures.index.facts[ancestor[0]].functions[cls.methods[attr]]
                # Only a property is a value; a method without its call is one that somebody hands on.
                if {"property", "cached_property"} & {d.rpartition(".")[2] for d in function.decorators}:
                    signature = self.signatures.find(ancestor[0], cls.methods[attr])
                    return signature.gives if signature is not None and not signature.strange else None
                return None
            if attr in cls.hints:
                hinted = self.signatures.hints.read_shape(ancestor[0], cls.hints[attr])
                # A hint that means nothing to us does not let us believe what happens to be stored.
                return KnownShape(hinted, Certainty.DECLARED, "hint") if hinted != UNKNOWN else None
            if attr in cls.stored or attr in cls.attributes:
                return self._find_stored(ancestor[0], ancestor[1], attr)
        return None

    def _find_stored(self, path: str, cls: str, attr: str) -> KnownShape | None:
        """What `self.attr = …` puts there, in every method of the class."""
        cache, key = self._stored_known, (path, cls, attr)
        if key not in cache:
            cache[key] = None  # an attribute that is asked about itself
            cache[key] = self._infer_stored(path, cls, attr)
        return cache[key]

    def _infer_stored(self, path: str, cls: str, attr: str) -> KnownShape | None:
        file = self.signatures.sources[path]
        if file is None:
            return None
        stored_shapes: list[KnownShape] = []
        for name, owner in file.owner.items():
            if owner != cls:
                continue
            function = file.functions[name]
            values = ExpressionShapes(self.signatures, CodeScope(path, name, function))
            for node in walk_body(function.body):
                match node:
                    case ast.Assign(targets=targets, value=value):
                        if any(_is_self_attribute(t, attr) for t in targets):
                            stored_shapes.append(values.infer_shape(value))
                    case ast.AnnAssign(target=target, annotation=annotation) if _is_self_attribute(target, attr):
                        hinted = self.signatures.hints.read_shape(path, annotation)
                        return KnownShape(hinted, Certainty.DECLARED, "hint") if hinted != UNKNOWN else None
        stored = join_known(stored_shapes)
        if isinstance(stored.shape, RecordShape | ContainerShape) and stored.level < Certainty.DECLARED:
            # Any method, here or elsewhere, may put further things into it, so what is stored first does not bound
            # it.
            return None  # any method may fill it
        # Likely at most: an attribute may be set again from outside.
        return replace(stored, level=min(stored.level, Certainty.LIKELY)) if stored.shape != UNKNOWN else None

    def find_method(self, shape: InstanceShape, attr: str) -> tuple[str, str] | None:
        """The function that `value.attr(…)` calls; None where a subclass or a base outside may have another."""
        for ancestor in self.signatures.index.find_family(shape.path, shape.name):
            cls = self.signatures.index.find_class(*ancestor) if ancestor is not None else None
            if ancestor is None or cls is None:
                return None
            if attr in cls.methods:
                function = self.signatures.index.facts[ancestor[0]].functions.get(cls.methods[attr])
                if attr in cls.attributes or function is None or not _takes_self(function):
                    return None  # bound anew in the body (`convert = staticmethod(convert)`), or zope's interface
                # A class below may have it anew with another contract, and which one is called nobody can tell.
                return None if self.signatures.is_overridden(ancestor, attr) else (ancestor[0], cls.methods[attr])
            if attr in cls.stored or attr in cls.attributes:
                return None
        return None


def _takes_self(function: Function) -> bool:
    """Whether the first parameter is the object, or there is none by intention."""
    first = function.parameters[0].name if function.parameters else ""
    return first in ("self", "cls") or "staticmethod" in function.decorators


def _is_self_attribute(node: ast.expr, attr: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == attr
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


# Twelve functions deep the answer is rarely more than "something", and each level costs a walk of a body.
MAX_DEPTH = 12  # functions that call functions, when what they give is asked for
VAGUE = (
    ANY,
    PlainShape("object"),
    MappingShape(UNKNOWN, UNKNOWN),
    ContainerShape("list", UNKNOWN),
    ContainerShape("tuple", UNKNOWN),
)
_SPHINX = re.compile(r":(?:param\s+(?P<type>[\w.\[\], |]+?)\s+(?P<name>\w+)|type\s+(?P<name2>\w+)):\s*(?P<rest>.*)")
_GOOGLE = re.compile(
    r"^\s+(?P<name>\w+)\s*(?:\((?P<type>[\w.\[\], |]+?)(?:, optional)?\)|\s:\s(?P<numpy>[\w.\[\], |]+))", re.M
)
# Docstrings are prose. A type is believed only where it is one of these plain words.
WORDS = {"str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple", "datetime", "Path"}
SAME = {"string": "str", "integer": "int", "boolean": "bool", "unicode": "str"}


KEEPING = frozenset(
    """staticmethod classmethod abstractmethod override cache lru_cache final schema_method subscribe publishes property
    cached_property depends_on contract wraps hookimpl""".split()  # noqa: SIM905
)


class Signatures:
    """Signatures of a project's functions, each worked out once."""

    def __init__(self, project: ProjectAnalysis) -> None:
        self.project = project
        self.index = project.index
        self.sources = Sources(project.texts)
        self.hints = HintReader(project.index, self.sources)
        self._known: dict[tuple[str, str], InferredSignature] = {}
        self._asked: list[tuple[str, str]] = []
        self.members = Members(self)
        self.depth = 0
        self._parameters: dict[int, tuple[TakenParameter, ...]] = {}

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to the tests."""
        return self.project.texts.is_test(path)

    def find(self, path: str, name: str) -> InferredSignature | None:
        """The signature of a function by file and qualified name; None where there is none, or it asks for itself."""
        key = (path, name)
        if key in self._known:
            return self._known[key]
        file = self.sources[path]
        function = file.functions.get(name) if file is not None else None
        if function is None or key in self._asked or len(self._asked) >= MAX_DEPTH:
            return None
        self._asked.append(key)
        try:
            signature = self._build_signature(path, name, function)
        finally:
            self._asked.pop()
        if not self._asked:  # inside of another question a circle may have cut it short
            self._known[key] = signature
        return signature

    def _build_signature(self, path: str, name: str, function: FunctionNode) -> InferredSignature:
        file = self.sources[path]
        assert file is not None
        words = [called_name(d) for d in function.decorator_list]
        method = name in file.owner and "staticmethod" not in words
        # A decorator that keeps the signature is known by name; any other may wrap it into something else.
        strange = next((w for w in words if w not in KEEPING and w not in ("setter", "getter")), "")
        args = function.args
        takes = self.list_parameters(path, function)[1 if method else 0 :]
        gives = self.infer_return(path, name, function)
        return InferredSignature(takes, gives, bool(args.vararg or args.kwarg), strange)

    # ---- what it takes

    def list_parameters(self, path: str, function: FunctionNode) -> tuple[TakenParameter, ...]:
        """Every parameter, `self` with them."""
        cached = self._parameters.get(id(function))
        if cached is None:
            cached = self._parameters[id(function)] = tuple(self._build_parameters(path, function))
        return cached

    def _build_parameters(self, path: str, function: FunctionNode) -> list[TakenParameter]:
        documented = _parse_docstring_types(function)
        return [
            TakenParameter(arg.arg, self._infer_parameter(path, arg, default, documented), default is None, kind)
            for arg, kind, default in syntax.list_parameters(function.args)
            if not kind.startswith("var_")
        ]

    def _infer_parameter(
        self, path: str, arg: ast.arg, default: ast.expr | None, documented: dict[str, str]
    ) -> KnownShape:
        if arg.annotation is not None:
            shape = self.hints.read_shape(path, arg.annotation)
            if isinstance(default, ast.Constant) and default.value is None and shape != UNKNOWN:
                shape = join_shapes((shape, NONE))  # `x: str = None` is written often, and means it
            return KnownShape(shape, Certainty.DECLARED, "hint") if shape != UNKNOWN else DARK
        if arg.arg in documented:
            # No default counts beside a hint: `x: float = 0` is a float.
            shape = self.hints.read_shape(path, documented[arg.arg])
            if shape != UNKNOWN:
                return KnownShape(shape, Certainty.LIKELY, "docstring")
        if (
            isinstance(default, ast.Constant)
            and isinstance(default.value, str | int | float)
            and default.value is not None
        ):
            # A default shows what is usual. It does not say that nothing else is meant.
            return KnownShape(PlainShape(type(default.value).__name__), Certainty.LIKELY, "default")
        return DARK

    # ---- what it gives

    def infer_return(self, path: str, name: str, function: FunctionNode) -> KnownShape:
        """What a function gives back: its hint, refined or else told by its returns."""
        hinted = self.hints.read_shape(path, function.returns) if function.returns is not None else UNKNOWN
        # A hint that says something is the contract, even where the body says more.
        if hinted != UNKNOWN and not _is_vague(hinted):
            return KnownShape(hinted, Certainty.DECLARED, "hint")
        from_code = DARK if is_stub(function) else self.infer_from_returns(path, name, function)
        if hinted == UNKNOWN:
            return from_code
        # Only certain returns refine. A likely shape in place of a declared one would make the contract weaker.
        refined = from_code.level >= Certainty.CERTAIN and _refines(from_code.shape, hinted)
        return replace(from_code, source="returns") if refined else KnownShape(hinted, Certainty.DECLARED, "hint")

    def infer_from_returns(self, path: str, name: str, function: FunctionNode) -> KnownShape:
        """What the returns show, hint or not."""
        values = ExpressionShapes(self, CodeScope(path, name, function))
        returns: list[KnownShape] = []
        yields: list[KnownShape] = []
        for node in walk_body(function.body):
            match node:
                case ast.Return(value=None):
                    returns.append(KnownShape(NONE, Certainty.CERTAIN, "returns"))
                case ast.Return(value=ast.expr() as value):
                    returns.append(values.infer_shape(value))
                case ast.Yield(value=value):
                    yields.append(
                        values.infer_shape(value)
                        if value is not None
                        else KnownShape(NONE, Certainty.CERTAIN, "returns")
                    )
                case ast.YieldFrom():
                    yields.append(DARK)
        if yields:
            element = join_known(yields)
            return KnownShape(ContainerShape("Iterator", element.shape), max(element.level, Certainty.LIKELY), "yields")
        if can_reach_end(function.body):
            # Falling off the end gives None, which is the fault that callers meet most.
            returns.append(KnownShape(NONE, Certainty.CERTAIN, "returns"))
        return replace(join_known(returns), source="returns") if returns else DARK

    def is_overridden(self, class_key: tuple[str, str], method: str) -> bool:
        """Whether a class below this one has the method anew, with another contract for all we know."""
        return any(
            cls is not None and method in cls.methods
            for cls in (self.index.find_class(*b) for b in self.list_subclasses(class_key))
        )

    def list_subclasses(self, class_key: tuple[str, str]) -> list[tuple[str, str]]:
        """The classes that come from one."""
        return self._subclasses.get(class_key, [])

    @cached_property
    def _subclasses(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        subclasses: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for path in self.project.texts.paths:
            for name in self.index.facts[path].classes:
                for ancestor in self.index.find_family(path, name)[1:]:
                    if ancestor is not None:
                        subclasses.setdefault(ancestor, []).append((path, name))
        return subclasses

    @cached_property
    def shape_checker(self) -> ShapeChecker:
        """Which shape can be taken where another is wanted."""
        return ShapeChecker(self)

    @cached_property
    def set_from_outside(self) -> frozenset[str]:
        """Attributes that somebody sets on an object that is not `self`, and names that are set by `setattr`."""
        names: set[str] = set()
        for path in self.project.texts.paths:
            file = self.sources[path] if not self.is_test(path) else None  # the program never meets a test's objects
            for node in file.nodes if file is not None else ():
                match node:
                    case ast.Attribute(ctx=ast.Store(), value=base, attr=attr):
                        # `self.x = …` is the class's own; anything else sets attributes that the class does not show.
                        if not (isinstance(base, ast.Name) and base.id == "self"):
                            names.add(attr)
                    case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str() as attr), *_]):
                        names.add(attr)
        return frozenset(names)

    @cached_property
    def filled_elsewhere(self) -> frozenset[str]:
        """Names whose value somebody changes in place, or hands to somebody who may."""
        names: set[str] = set()
        for path in self.project.texts.paths:
            file = self.sources[path]
            for node in file.nodes if file is not None else ():
                match node:
                    case ast.Subscript(ctx=ast.Store() | ast.Del(), value=base):
                        names.add(last_name(base))
                    case ast.Call(func=ast.Attribute(value=base, attr=attr), args=args):
                        names |= {last_name(base)} if attr in MUTATING else set()
                        names |= {last_name(argument) for argument in args}
                    case ast.Call(func=ast.Name(id=word), args=args) if word not in LOOKING:
                        names |= {last_name(argument) for argument in args}
                    case ast.keyword(value=value) | ast.Assign(value=value) | ast.AugAssign(target=value):
                        names.add(last_name(value))
        return frozenset(names - {""})

    @cached_property
    def dynamic_classes(self) -> frozenset[tuple[str, str]]:
        """Classes whose own code sets attributes by computed names."""
        class_keys: set[tuple[str, str]] = set()
        for path in self.project.texts.paths:
            file = self.sources[path]
            lines = self.project.texts.read_content(path).decode("utf-8", "replace").splitlines()
            for name, cls in file.classes.items() if file is not None else ():
                text = "\n".join(lines[cls.lineno - 1 : cls.end_lineno])
                # By text: whichever way the attributes get there, the class says by these words that it hides them.
                if "setattr(" in text or "__dict__" in text or "vars(self)" in text or "__slots__" in text:
                    class_keys.add((path, name))
        return frozenset(class_keys)

    def has_odd_constructor(self, path: str, name: str) -> bool:
        """Whether making an object may take other arguments than `__init__` says."""
        for _, cls in self.index.iter_classes(path, name):
            strange = [d.partition("(")[0].rpartition(".")[2] for d in cls.decorators]
            if "__new__" in cls.methods or "__call__" in cls.attributes or set(strange) - PLAIN_CLASS:
                return True
        class_node = self.sources.find_class(path, name)
        return class_node is None or any(
            k.arg == "metaclass" and "ABCMeta" not in ast.unparse(k.value) for k in class_node.keywords
        )

    def is_defined_twice(self, code: FunctionRef) -> bool:
        """Whether a name is defined more than once in its file (`try: … except ImportError: …`)."""
        file = self.sources[code.path]
        last = code.name.rpartition(".")[2]
        if file is None:
            return True
        # A name that is defined twice is usually a fallback of an import, and either may be the one.
        return file.definitions[last] > 1 and "." not in code.name

    def find_line(self, code: FunctionRef) -> int:
        """Where a function stands."""
        function = self.index.find_function(code)
        return function.line if function is not None else 1

    def find_for_code(self, code: FunctionRef) -> InferredSignature | None:
        """The signature behind a name that the index resolved."""
        return self.find(code.path, code.name)


def _is_vague(shape: Shape) -> bool:
    return shape in VAGUE or (isinstance(shape, MappingShape) and shape.value in (ANY, UNKNOWN, PlainShape("object")))


def _refines(shape: Shape, hinted: Shape) -> bool:
    kind = RecordShape if isinstance(hinted, MappingShape) else object
    return all(isinstance(option, kind) for option in expand_union(shape)) and shape != NONE


def _parse_docstring_types(function: FunctionNode) -> dict[str, str]:
    """Types that a docstring names for parameters: Sphinx, Google and numpy forms; only types that are plain words."""
    text = ast.get_docstring(function, clean=False)
    if not text:
        return {}
    types: dict[str, str] = {}
    for match in _SPHINX.finditer(text):
        types[match["name"] or match["name2"]] = match["type"] or match["rest"]
    for match in _GOOGLE.finditer(text):
        types.setdefault(match["name"], match["type"] or match["numpy"] or "")
    # Sphinx writes `string`, others `str`; both mean the builtin.
    normalized = {name: SAME.get(type_.strip().rstrip("."), type_.strip().rstrip(".")) for name, type_ in types.items()}
    return {name: type_ for name, type_ in normalized.items() if type_ in WORDS}
