"""What the type checker finds, where both places are in the project: as findings, in our words.

A checker reports every place where types do not meet. Most of its lines in foreign code have one end in a library's
stubs, or are about hints alone. Here a diagnostic is a finding if a second place of the project stands behind it: the
function that is called, the class that lacks a name, the function whose result may be None, the hint that is not kept.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphbus_core.analysis.index import ClassRef, FunctionRef
from graphbus_core.analysis.type_checker.port import IGNORES, Diagnostic
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.inference.shapes import UNKNOWN, InstanceShape, KnownShape, build_sample
from graphbus_core.inference.signatures import Signatures
from graphbus_core.inference.source import CodeScope, File
from graphbus_core.inference.values import ExpressionShapes
from graphbus_core.syntax import list_parameters

# Rules of either engine, by what stands at their place. What is in no list has one end, or is style.
CALLS = {
    *("invalid-argument-type", "missing-argument", "unknown-argument", "too-many-positional-arguments"),
    *("parameter-already-assigned", "positional-only-parameter-as-kwarg"),
    *("bad-argument-type", "unexpected-keyword", "bad-argument-count"),
}
VALUES = {
    *("missing-union-attribute", "missing-attribute", "not-subscriptable", "unsupported-operator", "not-iterable"),
    *("invalid-await", "not-callable", "index-out-of-bounds", "bad-index", "not-async"),
}
KEYS = {
    *("missing-typed-dict-key", "invalid-typed-dict-key", "unknown-typed-dict-constructor-key"),
    *("bad-typed-dict-key", "typed-dict-key-error"),
}
RETURNS = {"invalid-explicit-return", "invalid-implicit-return", "bad-return"}
MODULES = {"missing-module-member", "missing-module-attribute"}
# A type variable, or what `self` is in a class that others mix in: who calls it decides, and the checker cannot ask.
# `object` is what is left of a value after `hasattr` or `callable`.
_OPEN_TYPE = re.compile(r"\w@\w|`object`")
_NAMED = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"[^\W\d]\w*")
MAX_STEPS = 4  # names that stand for names


@dataclass(frozen=True)
class _OtherEnd:
    """The second place. `sentence` says what is there."""

    sentence: str
    path: str
    line: int


class CheckedTypes:
    """Turns diagnostics into findings."""

    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures
        self._nodes: dict[str, dict[tuple[int, int], list[ast.AST]]] = {}
        self._parents: dict[ast.AST, ast.AST] = {}

    def build_findings(self, diagnostics: Sequence[Diagnostic], told: set[tuple[str, int]]) -> Iterator[Finding]:
        """Those with two places in the project. `told`: the lines that have a finding already."""
        for diagnostic in diagnostics:
            if (diagnostic.path, diagnostic.line) in told or _OPEN_TYPE.search(diagnostic.message):
                continue
            file = self.signatures.sources[diagnostic.path]
            if file is None or self._is_ignored(diagnostic):
                continue
            for node in self._find_nodes(file, diagnostic):
                other = self._find_other_end(file, node, diagnostic)
                if other is not None and (other.path, other.line) != (diagnostic.path, diagnostic.line):
                    yield self._build_finding(file, node, diagnostic, other)
                    told.add((diagnostic.path, diagnostic.line))
                    break

    def _is_ignored(self, diagnostic: Diagnostic) -> bool:
        lines = self.signatures.project.texts.read_content(diagnostic.path).splitlines()
        return diagnostic.line <= len(lines) and IGNORES.search(lines[diagnostic.line - 1]) is not None

    def _build_finding(self, file: File, node: ast.AST, diagnostic: Diagnostic, other: _OtherEnd) -> Finding:
        scope = self._find_scope(file, node)
        shown = node
        while isinstance(shown, ast.keyword | ast.arguments):
            shown = self._parents[shown]
        subject = f"{scope.name or file.path}: {diagnostic.rule}: {_shorten(ast.unparse(shown))}"
        inferred = self._infer(scope, node)
        payload = build_sample(inferred.shape) if inferred is not None and inferred.shape != UNKNOWN else None
        return Finding(
            "GB506",
            _reword(diagnostic.message),
            diagnostic.path,
            diagnostic.line,
            subject,
            Level.WARNING,
            (f"the type checker: {diagnostic.rule}",),
            payload,
            payload is not None,
            (Related(other.sentence, other.path, other.line),),
        )

    def _infer(self, scope: CodeScope, node: ast.AST) -> KnownShape | None:
        value = node.value if isinstance(node, ast.Attribute | ast.Subscript | ast.Await | ast.keyword) else node
        if isinstance(value, ast.expr) and scope.function is not None:
            return ExpressionShapes(self.signatures, scope).infer_shape(value)
        return None

    # ---- the node that a diagnostic is about

    def _find_nodes(self, file: File, diagnostic: Diagnostic) -> list[ast.AST]:
        """The nodes that begin there, the outermost first."""
        nodes = self._nodes.get(file.path)
        if nodes is None:
            nodes = self._nodes[file.path] = {}
            for node in file.nodes:
                if isinstance(node, ast.expr | ast.stmt | ast.keyword):
                    nodes.setdefault((node.lineno, node.col_offset), []).append(node)
                for child in ast.iter_child_nodes(node):
                    self._parents[child] = node
        if diagnostic.column:
            lines = self.signatures.project.texts.read_content(file.path).splitlines()
            text = lines[diagnostic.line - 1].decode("utf-8", "replace") if diagnostic.line <= len(lines) else ""
            return nodes.get((diagnostic.line, len(text[: diagnostic.column - 1].encode())), [])
        return [node for (line, _), some in nodes.items() if line == diagnostic.line for node in some]

    def _find_scope(self, file: File, node: ast.AST) -> CodeScope:
        line = getattr(node, "lineno", 1)
        around = [
            (function.lineno, name, function)
            for name, function in file.every
            if function.lineno <= line <= (function.end_lineno or 0)
        ]
        if not around:
            return CodeScope(file.path)
        _, name, function = max(around, key=lambda entry: entry[0])
        return CodeScope(file.path, name, function)

    # ---- the other end

    def _find_other_end(self, file: File, node: ast.AST, diagnostic: Diagnostic) -> _OtherEnd | None:
        scope = self._find_scope(file, node)
        if diagnostic.rule in CALLS:
            return self._find_called(scope, node)
        if diagnostic.rule in KEYS:
            return self._find_typed_dict(diagnostic.message)
        if diagnostic.rule in RETURNS:
            return self._find_promise(scope)
        if diagnostic.rule in MODULES and isinstance(node, ast.Attribute | ast.ImportFrom | ast.alias):
            return self._find_module(scope, diagnostic.message)
        if diagnostic.rule in VALUES:
            # Only one operand, or the value behind a dot, is what does not fit.
            match node:
                case ast.Attribute(value=value) if diagnostic.rule == "missing-attribute":
                    # A coroutine is nobody's object: who gives it is the other end.
                    awaited = "Coroutine" in diagnostic.message
                    return self._find_origin(scope, value) if awaited else self._find_lacking_class(scope, value)
                case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Await(value=value):
                    return self._find_origin(scope, value)
                case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
                    return self._find_origin(scope, left) or self._find_origin(scope, right)
                case ast.expr() if diagnostic.rule in ("not-iterable", "not-callable", "invalid-await"):
                    return self._find_origin(scope, node)
        return None

    def _find_called(self, scope: CodeScope, node: ast.AST) -> _OtherEnd | None:
        call: ast.AST | None = node
        # An argument is told at its own place; a call that lacks one, at its function's or its own.
        while call is not None and not isinstance(call, ast.stmt):
            parent = self._parents.get(call)
            if isinstance(parent, ast.Call) and call is not parent.func:
                return self._locate_callee(scope, parent)
            if isinstance(call, ast.Call):
                return self._locate_callee(scope, call)
            call = parent if isinstance(parent, ast.keyword | ast.Starred | ast.Call) else None
        return None

    def _locate_callee(self, scope: CodeScope, call: ast.Call) -> _OtherEnd | None:
        resolved = self._resolve(scope, call.func)
        match resolved:
            case FunctionRef(path=path, name=name):
                return self._tell(f"{name} is defined here", path, self.signatures.find_line(resolved))
            case ClassRef(path=path, name=name):
                cls = self.signatures.index.find_class(path, name)
                init = cls.methods.get("__init__") if cls is not None else None
                function = self.signatures.index.facts[path].functions.get(init) if init else None
                line = function.line if function is not None else cls.line if cls is not None else 1
                return self._tell(f"{name} is defined here", path, line)
        return None

    def _resolve(self, scope: CodeScope, expression: ast.expr) -> object:
        """The function or class of the project that an expression names."""
        values = ExpressionShapes(self.signatures, scope)
        if isinstance(expression, ast.Name):
            if expression.id in scope.collect_assignments() or self._is_parameter(scope, expression.id):
                return None
            return self.signatures.index.look_up(scope.path, expression.id)
        dotted = values.find_dotted_name(expression)
        if dotted is not None:
            resolved = self.signatures.index.look_up_dotted(scope.path, dotted)
            if isinstance(resolved, ClassRef | FunctionRef):
                return resolved
        if isinstance(expression, ast.Attribute):
            shape = values.infer_shape(expression.value).shape
            if isinstance(shape, InstanceShape):
                for path, cls in self.signatures.index.iter_classes(shape.path, shape.name):
                    if expression.attr in cls.methods:
                        return FunctionRef(path, cls.methods[expression.attr])
        return None

    def _is_parameter(self, scope: CodeScope, name: str) -> bool:
        return scope.function is not None and any(a.arg == name for a, _, _ in list_parameters(scope.function.args))

    def _find_origin(self, scope: CodeScope, value: ast.expr, steps: int = 0) -> _OtherEnd | None:
        """The function of the project that gives a value, or the place of the project that declares it."""
        match value:
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self._find_origin(scope, inner, steps)
            case ast.Call():
                resolved = self._resolve(scope, value.func)
                if isinstance(resolved, FunctionRef):
                    line = self.signatures.find_line(resolved)
                    return self._tell(f"{resolved.name} gives it", resolved.path, line)
            case ast.Name(id=name) if steps < MAX_STEPS and scope.function is not None:
                bound, from_start = scope.find_reaching_assignments(name, value.lineno)
                values = (a.value for a in bound if a.how == "value" and a.value is not None)
                for other in (self._find_origin(scope, assigned, steps + 1) for assigned in values):
                    if other is not None:
                        return other
                return self._find_annotation(scope, name) if from_start and not bound else None
            case ast.Attribute(value=base, attr=attr):
                shape = ExpressionShapes(self.signatures, scope).infer_shape(base).shape
                if isinstance(shape, InstanceShape):
                    for path, cls in self.signatures.index.iter_classes(shape.path, shape.name):
                        if attr in cls.hints or attr in cls.stored or attr in cls.attributes:
                            return self._locate_attribute(path, cls.name, attr)
        return None

    def _find_annotation(self, scope: CodeScope, name: str) -> _OtherEnd | None:
        """A parameter whose hint allows what the body does not; only where somebody of the project calls it."""
        function = scope.function
        assert function is not None
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        argument = next((a for a in every if a.arg == name and a.annotation is not None), None)
        if argument is None or not self.signatures.project.texts.find_calling(function.name):
            return None
        return self._tell(f"{name} is declared here", scope.path, argument.lineno)

    def _locate_attribute(self, path: str, name: str, attr: str) -> _OtherEnd | None:
        class_node = self.signatures.sources.find_class(path, name)
        for node in ast.walk(class_node) if class_node is not None else ():
            match node:
                case (
                    ast.AnnAssign(target=ast.Name(id=word) | ast.Attribute(attr=word))
                    | ast.Assign(targets=[ast.Name(id=word) | ast.Attribute(attr=word)])
                ) if word == attr:
                    # `self.x = None` without a hint is a place that is filled later, by whoever starts the object.
                    if (
                        isinstance(node, ast.Assign)
                        and isinstance(node.value, ast.Constant)
                        and node.value.value is None
                    ):
                        return None
                    return self._tell(f"{name}.{attr} is set here", path, node.lineno)
        return None

    def _find_lacking_class(self, scope: CodeScope, value: ast.expr) -> _OtherEnd | None:
        """The class of the object that an attribute is missing on."""
        resolved = self._resolve(scope, value)
        shape = ExpressionShapes(self.signatures, scope).infer_shape(value).shape
        if isinstance(resolved, ClassRef):
            shape = InstanceShape(resolved.path, resolved.name)
        if not isinstance(shape, InstanceShape):
            return self._find_origin(scope, value)
        cls = self.signatures.index.find_class(shape.path, shape.name)
        return self._tell(f"{shape.name} is defined here", shape.path, cls.line if cls is not None else 1)

    def _find_typed_dict(self, message: str) -> _OtherEnd | None:
        """The only TypedDict of the project that has a name of the message."""
        for word in (word for quoted in _NAMED.findall(message) for word in _WORD.findall(quoted)):
            places = [
                ref
                for ref in self._classes_by_name.get(word, ())
                if self.signatures.hints.is_typed_dict(ref.path, ref.name)
            ]
            if len(places) == 1:
                cls = self.signatures.index.find_class(places[0].path, places[0].name)
                return self._tell(f"{word} is defined here", places[0].path, cls.line if cls is not None else 1)
        return None

    @cached_property
    def _classes_by_name(self) -> dict[str, list[ClassRef]]:
        by_name: dict[str, list[ClassRef]] = {}
        for path in self.signatures.project.texts.paths:
            for name in self.signatures.index.facts[path].classes:
                by_name.setdefault(name, []).append(ClassRef(path, name))
        return by_name

    def _find_promise(self, scope: CodeScope) -> _OtherEnd | None:
        """The hint of a function that somebody of the project calls."""
        function = scope.function
        if function is None or function.returns is None:
            return None
        texts = self.signatures.project.texts
        callers = [path for path in texts.find_calling(function.name) if not texts.is_test(path)]
        return self._tell("its own hint is here", scope.path, function.returns.lineno) if callers else None

    def _find_module(self, scope: CodeScope, message: str) -> _OtherEnd | None:
        for quoted in _NAMED.findall(message)[:1]:
            path = self.signatures.project.texts.find_module(quoted, scope.path)
            if path is not None:
                return self._tell(f"{quoted} is this file", path, 1)
        return None

    def _tell(self, sentence: str, path: str, line: int) -> _OtherEnd | None:
        return _OtherEnd(sentence, path, line) if path.endswith(".py") else None


def _shorten(text: str) -> str:
    return " ".join(text.split())[:60]


_SENTENCES = (
    (r"Attribute `(.+?)` is not defined on `(.+?)` in union `(.+)`", r"`\1` is used, and what is there may be \2"),
    (r"Object of type `(.+?)` has no attribute `(.+?)`", r"\1 has no `\2`"),
    (
        r"Argument to (?:bound method|function|constructor) `(.+?)` is incorrect: Expected `(.+)`, found `(.+)`",
        r"\1 takes \2, and gets \3",
    ),
    (r"Cannot subscript object of type `(.+?)` with no .*", r"an element is read of \1, which has none"),
    (r"Operator `(.+?)` is not supported between objects of type `(.+)` and `(.+)`", r"`\1` is used on \2 and \3"),
    (r"Return type does not match returned value: expected `(.+)`, found `(.+)`", r"\1 is promised, not \2"),
    (
        r"Function can implicitly return `None`, which is not assignable to return type `(.+)`",
        r"\1 is promised, and the end gives None",
    ),
    (r"Object of type `(.+?)` is not iterable", r"\1 is gone through, and cannot be"),
)  # fmt: skip


def _reword(message: str) -> str:
    """The engine's message in our words; as it is where we have none."""
    for pattern, ours in _SENTENCES:
        if re.fullmatch(pattern, message):
            return re.sub(pattern, ours, message)
    return message
