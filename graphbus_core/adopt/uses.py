"""What the code asks of a value that cannot be there: keys, attributes, parameters and types. Each is a finding.

Nothing is judged where a value is unknown, where another alternative has what is asked for, or where the code looks
first (`hasattr`, `"key" in …`, `except KeyError`). What is declared or certain is an error, what is likely a warning.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from graphbus_core import syntax
from graphbus_core.adopt.call_check import CalledSignatures, Callee
from graphbus_core.adopt.frame import CodeScope
from graphbus_core.adopt.known.code import File, FunctionNode
from graphbus_core.adopt.known.shapes import (
    NONE,
    UNKNOWN,
    Certainty,
    Field,
    Keyed,
    KnownShape,
    Made,
    Many,
    Mapped,
    Plain,
    Row,
    Shape,
    options,
    sample,
    text,
    without_none,
)
from graphbus_core.adopt.signatures import Signatures
from graphbus_core.adopt.values import ExpressionShapes
from graphbus_core.build.understand.index import Code, Type
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.syntax import inside

# Their author has seen it, and decided with another tool's comment.
SILENCED = re.compile(rb"#.*\b(?:type|ty|pyright|pyrefly|mypy)\s*:\s*ignore|#\s*noqa")


class UseFinder:
    """Goes through a project's code, function by function."""

    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures
        self.calls = CalledSignatures(signatures)
        self.fits = signatures.fits
        self.called_from: dict[tuple[str, str], set[str]] = {}  # function -> the files that call it
        self.sent: Counter[str] = Counter()  # file -> calls that reach something in it

    def findings(self, path: str) -> Iterator[Finding]:
        """Those of one file."""
        file = self.signatures.sources[path]
        if file is None:
            return
        lines = self.signatures.project.texts.content(path).splitlines()
        # What stands at the top of a module runs too. As a function it goes the same road.
        module = ast.FunctionDef("<module>", ast.arguments([], [], None, [], [], None, []), file.tree.body, [])
        module.lineno = 1
        for name, function in [*file.every, ("", module)]:
            frame = CodeScope(path, name, function if name else None)
            for finding in _Function(self, file, frame, function).findings():
                if not SILENCED.search(lines[finding.line - 1] if finding.line <= len(lines) else b""):
                    yield finding


class _Function:
    def __init__(self, uses: UseFinder, file: File, frame: CodeScope, function: FunctionNode) -> None:
        self.uses, self.file, self.name, self.function = uses, file, frame.name, function
        self.fits, self.calls, self.signatures = uses.fits, uses.calls, uses.signatures
        self.values = ExpressionShapes(uses.signatures, frame)
        self.guarded: set[str] = set()  # words that the function looks for before it uses them
        self.careful: set[str] = set()  # exceptions that it expects

    def findings(self) -> Iterator[Finding]:
        """Every use in the body, in the order of its lines."""
        nodes = list(inside(self.function.body))
        # Before the uses: code often looks first in one line and uses in the next.
        self._look_first(nodes)
        for at in nodes:
            match at:
                case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str() as key)):
                    yield from self._key(at, key)
                case ast.Attribute(ctx=ast.Load(), attr=attr):
                    yield from self._attribute(at, attr)
                case ast.Call():
                    yield from self._call(at)
                case ast.Return(value=ast.expr() as value) if self.function.returns is not None:
                    yield from self._returned(at, value)
                case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
                    yield from self._unpacked(at, parts, value)

    def _look_first(self, nodes: list[ast.AST]) -> None:
        for at in nodes:
            match at:
                case ast.Compare(left=ast.Constant(value=str() as word), ops=[ast.In() | ast.NotIn()]):
                    self.guarded.add(word)
                case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(value=str() as word), *_]):
                    self.guarded.add(word)
                case ast.Call(func=ast.Name(id="isinstance"), args=[about, *_]):
                    self.guarded.add(ast.unparse(about))
                case ast.Call(func=ast.Name(id="len"), args=[_]):
                    self.guarded.add(ast.unparse(at))
                # Whoever catches the error reckons with it, and a finding would tell what is known.
                case ast.ExceptHandler(type=kinds):
                    self.careful |= (
                        {n.id for n in ast.walk(kinds) if isinstance(n, ast.Name)} if kinds else {"Exception"}
                    )
                case ast.withitem(context_expr=ast.Call(func=func, args=kinds)):
                    if ast.unparse(func).rpartition(".")[2] in ("suppress", "raises", "assertRaises"):
                        words = [n for kind in kinds for n in ast.walk(kind)]
                        self.careful |= {n.id for n in words if isinstance(n, ast.Name)}
                # `match` on a class narrows in ways that are not followed here; so nothing narrowed by it is judged.
                case ast.MatchClass():
                    self.guarded.add("*")

    def _expects(self, *errors: str) -> bool:
        return bool(self.careful & set(errors))

    def _narrowed(self, at: ast.expr) -> bool:
        """Whether the function asks what kind of thing an expression is."""
        # By its text, which is how far "the same expression" can be told without running it.
        return bool(self.guarded) and ("*" in self.guarded or ast.unparse(at) in self.guarded)

    def _finding(
        self, code: str, at: ast.AST, message: str, subject: str, told: KnownShape, related: tuple[Related, ...] = ()
    ) -> Finding:
        sure, payload = told.level >= Certainty.CERTAIN, sample(told.shape)
        return Finding(
            code,
            message,
            self.file.path,
            getattr(at, "lineno", self.function.lineno),
            f"{self.name}: {subject}",
            Level.ERROR if sure else Level.WARNING,
            (f"{told.level.name.lower()}: {text(told.shape)}" + (f", from the {told.source}" if told.source else ""),),
            payload,
            (code != "GB502" and code != "GB503") or bool(payload),  # of an object without fields `{}` proves nothing
            related,
        )

    # ---- keys, attributes

    def _key(self, at: ast.Subscript, key: str) -> Iterator[Finding]:
        told = self.values.of(at.value)
        some = options(without_none(told.shape))
        if (
            key in self.guarded
            or self._expects("KeyError", "LookupError", "TypeError", "Exception")
            or self._narrowed(at.value)
        ):
            return
        # All alternatives must lack it. One that has it may be the one that is there.
        if not all(_no_key(one, key) for one in some):
            return
        what = text(told.shape)
        subject = f'{ast.unparse(at.value)}["{key}"]'
        if all(isinstance(one, Keyed) for one in some):
            given = ", ".join(dict.fromkeys(f.name for one in some if isinstance(one, Keyed) for f in one.fields))
            yield self._finding(
                "GB501", at, f"`{key}` is read, and what is there has only {given or 'no key'}", subject, told
            )
        else:
            yield self._finding("GB504", at, f"`{key}` is read from {what}, which has no keys", subject, told)

    def _attribute(self, at: ast.Attribute, attr: str) -> Iterator[Finding]:
        if attr in self.guarded or self._expects("AttributeError"):
            return
        if (cls := self._class_itself(at.value)) is not None:
            if self.fits.class_lacks(cls.path, cls.name, attr):
                shown = KnownShape(Made(cls.path, cls.name), Certainty.DECLARED, "class")
                place = (self._class_place(Made(cls.path, cls.name)),)
                yield self._finding("GB502", at, f"{cls.name} has no `{attr}`", f"{cls.name}.{attr}", shown, place)
            return
        told = self.values.of(at.value)
        if told.shape == UNKNOWN or told.source == "docstring" or self._narrowed(at.value):
            return
        some = options(without_none(told.shape))
        if NONE in some or not all(self.fits.lacks(one, attr) for one in some):
            return
        related = tuple(self._class_place(one) for one in some if isinstance(one, Made))
        subject = f"{ast.unparse(at.value)[:60]}.{attr}"
        yield self._finding(
            "GB502", at, f"{text(told.shape)} has no `{attr}`", subject, self._with_fields(told), related
        )

    def _class_itself(self, at: ast.expr) -> Type | None:
        """The class that an expression names."""
        dotted = self.values._module(at)
        found = self.signatures.index.dotted(self.file.path, dotted) if dotted is not None else None
        return found if isinstance(found, Type) and not self._is_parameter(dotted or "") else None

    def _with_fields(self, told: KnownShape) -> KnownShape:
        """An object of a class is shown by its fields."""
        if isinstance(told.shape, Made):
            target = self.calls.constructor(told.shape.path, told.shape.name)
            if target is not None:
                fields = tuple(Field(t.name, t.told.shape) for t in target.signature.takes)
                return KnownShape(Keyed(fields), told.level, told.source)
        return told

    def _class_place(self, shape: Made) -> Related:
        cls = self.signatures.index.cls(shape.path, shape.name)
        return Related(f"{shape.name} is defined here", shape.path, cls.line if cls else 1)

    # ---- calls

    def _call(self, at: ast.Call) -> Iterator[Finding]:
        target = self._target(at)
        if target is None or self._expects("TypeError"):
            return
        self.uses.sent[target.path] += 1
        there = (Related(f"{target.name} is defined here", target.path, target.line),)
        for name, sentence in self.calls.faults(at, target):
            shown = KnownShape(_given(at), Certainty.DECLARED, "signature")
            yield self._finding("GB503", at, sentence, f"{target.name}({name})", shown, there)
        for taken, value in self.calls.bound(at, target):
            told = self.values.of(value)
            if taken.told.level < Certainty.CERTAIN or self._narrowed(value):
                continue
            if self.fits.contradicts(told.shape, taken.told.shape):
                sentence = (
                    f"{target.name} takes {text(taken.told.shape)} as `{taken.name}`, and gets {text(told.shape)}"
                )
                yield self._finding("GB504", value, sentence, f"{target.name}({taken.name})", told, there)

    def _target(self, at: ast.Call) -> Callee | None:
        index = self.signatures.index
        match at.func:
            case ast.Name(id=name) if name not in self.values.frame.bound() and not self._is_parameter(name):
                found = index.look_up(self.file.path, name)
                return self._reached(found, name)
            case ast.Attribute(value=base, attr=attr):
                dotted = self.values._module(base)
                if dotted is not None:
                    if isinstance(index.dotted(self.file.path, dotted), Type):
                        return None  # `Class.method(…)`: self may be given, or not
                    return self._reached(index.dotted(self.file.path, f"{dotted}.{attr}"), attr)
                return self._method(self.values.of(base), attr)
        return None

    def _is_parameter(self, name: str) -> bool:
        return any(arg.arg == name for arg, _, _ in syntax.parameters(self.function.args))

    def _reached(self, found: object, name: str) -> Callee | None:
        match found:
            case Type(path=path, name=cls):
                return self.calls.constructor(path, cls)
            case Code(path=path):
                made = self.signatures.of_code(found)
                self.uses.called_from.setdefault((path, found.name), set()).add(self.file.path)
                if made is None or made.strange or self.signatures.defined_twice(found):
                    return None
                return Callee(name, made, path, self.signatures.line(found))
        return None

    def _method(self, told: KnownShape, attr: str) -> Callee | None:
        if not isinstance(told.shape, Made):
            return None
        found = self.signatures.members.method(told.shape, attr)
        made = self.signatures.of(*found) if found is not None else None
        if found is None or made is None or made.strange or told.level < Certainty.LIKELY:
            return None
        function = self.signatures.index.facts[found[0]].functions[found[1]]
        if {"property", "cached_property", "setter"} & {d.rpartition(".")[2] for d in function.decorators}:
            return None
        return Callee(f"{told.shape.name}.{attr}", made, found[0], function.line)

    # ---- returns

    def _returned(self, at: ast.Return, value: ast.expr) -> Iterator[Finding]:
        hinted = self.signatures.hints.shape(self.file.path, self.function.returns or ast.Constant(None))
        words = [ast.unparse(d) for d in self.function.decorator_list]
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in inside(self.function.body)) or words:
            return
        told = self.values.of(value)
        if hinted == NONE or self._narrowed(value) or not self.fits.contradicts(told.shape, hinted):
            return
        sentence = f"{self.name} promises {text(hinted)}, and returns {text(told.shape)}"
        yield self._finding("GB505", at, sentence, f"-> {text(hinted)}", told)

    def _unpacked(self, at: ast.Assign, parts: list[ast.expr], value: ast.expr) -> Iterator[Finding]:
        told = self.values.of(value)
        if any(isinstance(p, ast.Starred) for p in parts) or isinstance(value, ast.Tuple):
            return
        if f"len({ast.unparse(value)})" in self.guarded:
            return
        some = options(without_none(told.shape))
        if all(_not_so_many(one, len(parts)) for one in some):
            sentence = f"{len(parts)} values are taken from {text(told.shape)}"
            if any(isinstance(one, Mapped) for one in some):  # its keys may be meant, though hardly ever
                told = replace(told, level=min(told.level, Certainty.LIKELY))
            yield self._finding("GB504", at, sentence, f"{ast.unparse(value)[:60]} into {len(parts)}", told)


def _no_key(shape: Shape, key: str) -> bool:
    match shape:
        case Keyed(open=False):
            return shape.field(key) is None
        case Plain(name="str" | "int" | "float" | "bool" | "bytes") | Row():
            return True
        case Many(kind="list" | "set" | "tuple" | "frozenset"):
            return True
    return False


def _not_so_many(shape: Shape, number: int) -> bool:
    """Whether a value cannot be taken apart into that many names."""
    match shape:
        case Row(elements=elements):
            return len(elements) != number
        case Keyed(fields=fields, open=False):
            return len(fields) != number
        case Mapped(value=value):
            return number > 1 and value != UNKNOWN
    return _whole(shape)


def _whole(shape: Shape) -> bool:
    """Whether a value cannot be taken apart."""
    return isinstance(shape, Plain) and shape.name in ("int", "float", "bool")


def _given(at: ast.Call) -> Shape:
    """What a call gives, by name: shown as the payload."""
    return Keyed(tuple(Field(k.arg, UNKNOWN) for k in at.keywords if k.arg))
