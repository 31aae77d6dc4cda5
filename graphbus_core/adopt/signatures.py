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
from graphbus_core.adopt.asked import InferredSignature, TakenParameter
from graphbus_core.adopt.filled import LOOKING, MUTATING
from graphbus_core.adopt.fits import PLAIN_CLASS, Fits
from graphbus_core.adopt.frame import CodeScope
from graphbus_core.adopt.known.code import FunctionNode, Sources, falls_off, is_stub
from graphbus_core.adopt.known.hints import Hints
from graphbus_core.adopt.known.shapes import (
    ANY,
    DARK,
    NONE,
    UNKNOWN,
    Certainty,
    Keyed,
    KnownShape,
    Many,
    Mapped,
    Plain,
    Shape,
    either,
    options,
    union,
)
from graphbus_core.adopt.members import Members
from graphbus_core.adopt.values import ExpressionShapes
from graphbus_core.build.understand import Project
from graphbus_core.build.understand.index import Code
from graphbus_core.syntax import called_name, inside, last_name

# Twelve functions deep the answer is rarely more than "something", and each level costs a walk of a body.
MAX_DEPTH = 12  # functions that call functions, when what they give is asked for
VAGUE = (ANY, Plain("object"), Mapped(UNKNOWN, UNKNOWN), Many("list", UNKNOWN), Many("tuple", UNKNOWN))
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

    def __init__(self, project: Project) -> None:
        self.project = project
        self.index = project.index
        self.sources = Sources(project.texts)
        self.hints = Hints(project.index, self.sources)
        self._known: dict[tuple[str, str], InferredSignature] = {}
        self._asked: list[tuple[str, str]] = []
        self.members = Members(self)
        self.depth = 0
        self._parameters: dict[int, tuple[TakenParameter, ...]] = {}

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to the tests."""
        return self.project.texts.is_test(path)

    def of(self, path: str, name: str) -> InferredSignature | None:
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
            made = self._made(path, name, function)
        finally:
            self._asked.pop()
        if not self._asked:  # inside of another question a circle may have cut it short
            self._known[key] = made
        return made

    def _made(self, path: str, name: str, function: FunctionNode) -> InferredSignature:
        file = self.sources[path]
        assert file is not None
        words = [called_name(d) for d in function.decorator_list]
        method = name in file.owner and "staticmethod" not in words
        # A decorator that keeps the signature is known by name; any other may wrap it into something else.
        strange = next((w for w in words if w not in KEEPING and w not in ("setter", "getter")), "")
        args = function.args
        takes = self.takes(path, function)[1 if method else 0 :]
        gives = self.gives(path, name, function)
        return InferredSignature(takes, gives, bool(args.vararg or args.kwarg), strange)

    # ---- what it takes

    def takes(self, path: str, function: FunctionNode) -> tuple[TakenParameter, ...]:
        """Every parameter, `self` with them."""
        known = self._parameters.get(id(function))
        if known is None:
            known = self._parameters[id(function)] = tuple(self._takes(path, function))
        return known

    def _takes(self, path: str, function: FunctionNode) -> list[TakenParameter]:
        documented = _documented(function)
        return [
            TakenParameter(arg.arg, self._parameter(path, arg, default, documented), default is None, kind)
            for arg, kind, default in syntax.parameters(function.args)
            if not kind.startswith("var_")
        ]

    def _parameter(self, path: str, arg: ast.arg, default: ast.expr | None, documented: dict[str, str]) -> KnownShape:
        if arg.annotation is not None:
            shape = self.hints.shape(path, arg.annotation)
            if isinstance(default, ast.Constant) and default.value is None and shape != UNKNOWN:
                shape = either((shape, NONE))  # `x: str = None` is written often, and means it
            return KnownShape(shape, Certainty.DECLARED, "hint") if shape != UNKNOWN else DARK
        if arg.arg in documented:
            # No default counts beside a hint: `x: float = 0` is a float.
            shape = self.hints.shape(path, documented[arg.arg])
            if shape != UNKNOWN:
                return KnownShape(shape, Certainty.LIKELY, "docstring")
        if (
            isinstance(default, ast.Constant)
            and isinstance(default.value, str | int | float)
            and default.value is not None
        ):
            # A default shows what is usual. It does not say that nothing else is meant.
            return KnownShape(Plain(type(default.value).__name__), Certainty.LIKELY, "default")
        return DARK

    # ---- what it gives

    def gives(self, path: str, name: str, function: FunctionNode) -> KnownShape:
        """What a function gives back: its hint, refined or else told by its returns."""
        hinted = self.hints.shape(path, function.returns) if function.returns is not None else UNKNOWN
        # A hint that says something is the contract, even where the body says more.
        if hinted != UNKNOWN and not _vague(hinted):
            return KnownShape(hinted, Certainty.DECLARED, "hint")
        shown = DARK if is_stub(function) else self.shown(path, name, function)
        if hinted == UNKNOWN:
            return shown
        # Only certain returns refine. A likely shape in place of a declared one would make the contract weaker.
        refined = shown.level >= Certainty.CERTAIN and _refines(shown.shape, hinted)
        return replace(shown, source="returns") if refined else KnownShape(hinted, Certainty.DECLARED, "hint")

    def shown(self, path: str, name: str, function: FunctionNode) -> KnownShape:
        """What the returns show, hint or not."""
        values = ExpressionShapes(self, CodeScope(path, name, function))
        returns: list[KnownShape] = []
        yields: list[KnownShape] = []
        for at in inside(function.body):
            match at:
                case ast.Return(value=None):
                    returns.append(KnownShape(NONE, Certainty.CERTAIN, "returns"))
                case ast.Return(value=ast.expr() as value):
                    returns.append(values.of(value))
                case ast.Yield(value=value):
                    yields.append(
                        values.of(value) if value is not None else KnownShape(NONE, Certainty.CERTAIN, "returns")
                    )
                case ast.YieldFrom():
                    yields.append(DARK)
        if yields:
            element = union(yields)
            return KnownShape(Many("Iterator", element.shape), max(element.level, Certainty.LIKELY), "yields")
        if falls_off(function.body):
            # Falling off the end gives None, which is the fault that callers meet most.
            returns.append(KnownShape(NONE, Certainty.CERTAIN, "returns"))
        return replace(union(returns), source="returns") if returns else DARK

    def overridden(self, at: tuple[str, str], method: str) -> bool:
        """Whether a class below this one has the method anew, with another contract for all we know."""
        return any(cls is not None and method in cls.methods for cls in (self.index.cls(*b) for b in self.below(at)))

    def below(self, at: tuple[str, str]) -> list[tuple[str, str]]:
        """The classes that come from one."""
        return self._below.get(at, [])

    @cached_property
    def _below(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for path in self.project.texts.paths:
            for name in self.index.facts[path].classes:
                for at in self.index.family(path, name)[1:]:
                    if at is not None:
                        found.setdefault(at, []).append((path, name))
        return found

    @cached_property
    def fits(self) -> Fits:
        """Which shape can be taken where another is wanted."""
        return Fits(self)

    @cached_property
    def set_from_outside(self) -> frozenset[str]:
        """Attributes that somebody sets on an object that is not `self`, and names that are set by `setattr`."""
        found: set[str] = set()
        for path in self.project.texts.paths:
            file = self.sources[path] if not self.is_test(path) else None  # the program never meets a test's objects
            for at in ast.walk(file.tree) if file is not None else ():
                match at:
                    case ast.Attribute(ctx=ast.Store(), value=base, attr=attr):
                        # `self.x = …` is the class's own; anything else sets attributes that the class does not show.
                        if not (isinstance(base, ast.Name) and base.id == "self"):
                            found.add(attr)
                    case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str() as attr), *_]):
                        found.add(attr)
        return frozenset(found)

    @cached_property
    def filled_elsewhere(self) -> frozenset[str]:
        """Names whose value somebody changes in place, or hands to somebody who may."""
        found: set[str] = set()
        for path in self.project.texts.paths:
            file = self.sources[path]
            for at in ast.walk(file.tree) if file is not None else ():
                match at:
                    case ast.Subscript(ctx=ast.Store() | ast.Del(), value=base):
                        found.add(last_name(base))
                    case ast.Call(func=ast.Attribute(value=base, attr=attr), args=args):
                        found |= {last_name(base)} if attr in MUTATING else set()
                        found |= {last_name(one) for one in args}
                    case ast.Call(func=ast.Name(id=word), args=args) if word not in LOOKING:
                        found |= {last_name(one) for one in args}
                    case ast.keyword(value=value) | ast.Assign(value=value) | ast.AugAssign(target=value):
                        found.add(last_name(value))
        return frozenset(found - {""})

    @cached_property
    def dynamic(self) -> frozenset[tuple[str, str]]:
        """Classes whose own code sets attributes by computed names."""
        found: set[tuple[str, str]] = set()
        for path in self.project.texts.paths:
            file = self.sources[path]
            for name, cls in file.classes.items() if file is not None else ():
                text = ast.unparse(cls)
                # By text: whichever way the attributes get there, the class says by these words that it hides them.
                if "setattr(" in text or "__dict__" in text or "vars(self)" in text or "__slots__" in text:
                    found.add((path, name))
        return frozenset(found)

    def odd_constructor(self, path: str, name: str) -> bool:
        """Whether making an object may take other arguments than `__init__` says."""
        for _, cls in self.index.classes(path, name):
            strange = [d.partition("(")[0].rpartition(".")[2] for d in cls.decorators]
            if "__new__" in cls.methods or "__call__" in cls.attributes or set(strange) - PLAIN_CLASS:
                return True
        written = self.sources.cls(path, name)
        return written is None or any(
            k.arg == "metaclass" and "ABCMeta" not in ast.unparse(k.value) for k in written.keywords
        )

    def defined_twice(self, code: Code) -> bool:
        """Whether a name is defined more than once in its file (`try: … except ImportError: …`)."""
        file = self.sources[code.path]
        last = code.name.rpartition(".")[2]
        if file is None:
            return True
        defined = [
            n for n in ast.walk(file.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == last
        ]
        # A name that is defined twice is usually a fallback of an import, and either may be the one.
        return len(defined) > 1 and "." not in code.name

    def line(self, code: Code) -> int:
        """Where a function stands."""
        function = self.index.function(code)
        return function.line if function is not None else 1

    def of_code(self, code: Code) -> InferredSignature | None:
        """The signature behind a name that the index resolved."""
        return self.of(code.path, code.name)


def _vague(shape: Shape) -> bool:
    return shape in VAGUE or (isinstance(shape, Mapped) and shape.value in (ANY, UNKNOWN, Plain("object")))


def _refines(shape: Shape, hinted: Shape) -> bool:
    kind = Keyed if isinstance(hinted, Mapped) else object
    return all(isinstance(one, kind) for one in options(shape)) and shape != NONE


def _documented(function: FunctionNode) -> dict[str, str]:
    """Types that a docstring names for parameters: Sphinx, Google and numpy forms; only types that are plain words."""
    text = ast.get_docstring(function, clean=False)
    if not text:
        return {}
    found: dict[str, str] = {}
    for match in _SPHINX.finditer(text):
        found[match["name"] or match["name2"]] = match["type"] or match["rest"]
    for match in _GOOGLE.finditer(text):
        found.setdefault(match["name"], match["type"] or match["numpy"] or "")
    # Sphinx writes `string`, others `str`; both mean the builtin.
    known = {name: SAME.get(type_.strip().rstrip("."), type_.strip().rstrip(".")) for name, type_ in found.items()}
    return {name: type_ for name, type_ in known.items() if type_ in WORDS}
