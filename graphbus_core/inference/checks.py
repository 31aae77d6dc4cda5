"""What the code asks of a value that cannot be there: keys, attributes, parameters and types. Each is a finding.

Nothing is judged where a value is unknown, where another alternative has what is asked for, or where the code looks
first (`hasattr`, `"key" in …`, `except KeyError`). What is declared or certain is an error, what is likely a warning.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from graphbus_core import syntax
from graphbus_core.analysis.index import ClassRef, FunctionRef
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.inference.interfaces import InferredSignature, TakenParameter
from graphbus_core.inference.shapes import (
    DARK,
    NONE,
    UNKNOWN,
    Certainty,
    ContainerShape,
    InstanceShape,
    KnownShape,
    MappingShape,
    PlainShape,
    RecordField,
    RecordShape,
    Shape,
    TupleShape,
    build_sample,
    expand_union,
    render_shape,
    strip_none,
)
from graphbus_core.inference.signatures import Signatures
from graphbus_core.inference.source import CodeScope, File, FunctionNode
from graphbus_core.inference.values import ExpressionShapes
from graphbus_core.syntax import last_name, walk_body

# A call against the function or class that it reaches: names it does not take, and what it leaves out.


CLASS_LEVEL = {"ClassVar"}


@dataclass(frozen=True)
class Callee:
    """What a call reaches: a signature, by a name that people know, and where it stands."""

    name: str
    signature: InferredSignature
    path: str
    line: int
    lenient: bool = False  # unknown names are let pass (pydantic)


class CallChecker:
    """Signatures of what is called, constructors with them."""

    def __init__(self, signatures: Signatures) -> None:
        self.signatures, self.index = signatures, signatures.index

    def find_constructor(self, path: str, name: str) -> Callee | None:
        """What a class takes when it is made; None where nobody can tell."""
        if self.signatures.has_odd_constructor(path, name):
            return None
        line = getattr(self.index.find_class(path, name), "line", 1)
        for ancestor in self.index.find_family(path, name):
            cls = self.index.find_class(*ancestor) if ancestor is not None else None
            if ancestor is None or cls is None:
                break
            if "__init__" in cls.methods:
                signature = self.signatures.find(ancestor[0], cls.methods["__init__"])
                return Callee(name, signature, path, line) if signature is not None and not signature.strange else None
            if any(d.partition("(")[0].rpartition(".")[2] == "dataclass" for d in cls.decorators):
                takes = self._collect_fields(path, name, dataclasses=True)
                return Callee(name, _build_signature(takes), path, line) if takes is not None else None
        outside = self.signatures.shape_checker.find_outside_bases(path, name)
        if outside == {"BaseModel"} and not self._has_alias(path, name):
            takes = self._collect_fields(path, name)
            return Callee(name, _build_signature(takes), path, line, lenient=True) if takes is not None else None
        if outside == {"NamedTuple"}:
            takes = self._collect_fields(path, name)
            return Callee(name, _build_signature(takes), path, line) if takes is not None else None
        return None

    def _has_alias(self, path: str, name: str) -> bool:
        """Whether a pydantic model may be filled by other names than its fields'."""
        family = (ancestor for ancestor in self.index.find_family(path, name) if ancestor is not None)
        class_nodes = (self.signatures.sources.find_class(*ancestor) for ancestor in family)
        return any(cls is not None and "alias" in ast.unparse(cls) for cls in class_nodes)

    def _collect_fields(self, path: str, name: str, *, dataclasses: bool = False) -> list[TakenParameter] | None:
        fields: dict[str, TakenParameter] = {}
        for ancestor in reversed(self.index.find_family(path, name)):
            class_node = self.signatures.sources.find_class(*ancestor) if ancestor is not None else None
            if class_node is None or ancestor is None:
                continue
            decorated = " ".join(ast.unparse(d) for d in class_node.decorator_list)
            if dataclasses and "dataclass" not in decorated:
                continue  # a base that is none gives no fields
            if "init=False" in decorated:
                return None
            fields.update(
                (parameter.name, parameter)
                for parameter in self._iter_class_fields(ancestor[0], class_node, "kw_only=True" in decorated)
            )
        return list(fields.values())

    def _iter_class_fields(self, path: str, class_node: ast.ClassDef, only: bool) -> Iterator[TakenParameter]:
        """The fields that one class body writes. `only`: they are taken by keyword alone."""
        for line in class_node.body:
            if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
                continue
            word = ast.unparse(line.annotation).partition("[")[0].rpartition(".")[2]
            text = ast.unparse(line.value) if line.value is not None else ""
            if word == "KW_ONLY":  # `_: KW_ONLY` holds for what stands below it
                only = True
            elif word not in CLASS_LEVEL and "init=False" not in text.replace(" ", ""):
                known_shape = KnownShape(
                    self.signatures.hints.read_shape(path, line.annotation), Certainty.DECLARED, "hint"
                )
                kind = "keyword_only" if only else "positional_or_keyword"
                yield TakenParameter(line.target.id, known_shape, _is_required(text), kind)

    def find_faults(self, call: ast.Call, target: Callee) -> Iterator[tuple[str, str]]:
        """(name, sentence) for what the call gives and the target does not take, or needs and does not get."""
        signature = target.signature
        starred = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
        positional = [t for t in signature.takes if t.kind.startswith("positional")]
        if not signature.wild and not target.lenient:
            yield from _find_surplus(call, target, len(positional), starred)
        if starred:
            return
        given_names = {t.name for t in positional[: len(call.args)]} | {k.arg for k in call.keywords}
        for missing in (t for t in signature.takes if t.required and t.name not in given_names):
            yield missing.name, f"{target.name} needs `{missing.name}`, and does not get it"

    def match_arguments(self, call: ast.Call, target: Callee) -> Iterator[tuple[TakenParameter, ast.expr]]:
        """Each parameter with the expression that it gets."""
        positional = [t for t in target.signature.takes if t.kind.startswith("positional")]
        for parameter, value in zip(positional, call.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            yield parameter, value
        for keyword in call.keywords:
            named_parameter = target.signature.find_parameter(keyword.arg) if keyword.arg else None
            if named_parameter is not None:
                yield named_parameter, keyword.value


def _find_surplus(call: ast.Call, target: Callee, positional: int, starred: bool) -> Iterator[tuple[str, str]]:
    """What a call gives that nothing takes. `*args` may be empty, so it is never too much."""
    names = {t.name for t in target.signature.takes if t.kind != "positional_only"}
    for keyword in call.keywords:
        if keyword.arg is not None and keyword.arg not in names:
            yield keyword.arg, f"{target.name} takes no `{keyword.arg}`"
    if not starred and len(call.args) > positional:
        yield "*", f"{target.name} takes {positional} by position, and gets {len(call.args)}"


def _is_required(text: str) -> bool:
    """Whether a field must be given, by what stands behind its `=`: nothing, `...`, or a `field(…)` without default."""
    if not text or text == "..." or text.endswith("Field(...)"):
        return True
    return text.startswith(("field(", "dataclasses.field(")) and "default" not in text


def _build_signature(takes: list[TakenParameter]) -> InferredSignature:
    return InferredSignature(tuple(takes), DARK)


# Keys that are read and that nobody writes, where one that nobody reads has nearly the same name.
#
# Dicts that go through code which nobody can follow (a rule, a configuration, a message) still have keys, and a key
# that was renamed on one side leaves two lonely names. It is a guess with a reason, so it is told as likely, never as
# sure.


NEAR = 0.55  # of the letters; below, two words have only an ending in common
NAME = re.compile(r"[A-Za-z]\w{2,}")
HINT = re.compile(r"[A-Z][a-z]|(list|set|frozenset|tuple|type)$")  # what takes a type in brackets
Place = tuple[str, int]


def find_unwritten_keys(files: Iterable[File]) -> Iterator[Finding]:
    """A warning for each key that is read in brackets and made nowhere, with the one that may be meant."""
    reads: dict[str, list[Place]] = defaultdict(list)
    writes: dict[str, list[Place]] = defaultdict(list)
    mentioned: dict[str, int] = defaultdict(int)
    for file in files:
        _collect_keys(file, reads, writes, mentioned)
    missing = [key for key in reads if not mentioned[key] and key not in writes and NAME.fullmatch(key)]
    unread = [k for k in writes if k not in reads and not mentioned[k] and len(writes[k]) == 1 and NAME.fullmatch(k)]
    for key in missing:
        near = sorted(
            (candidate for candidate in unread if _are_alike(key, candidate)),
            key=lambda candidate: -_measure_likeness(key, candidate),
        )
        if len(near) == 1 or (near and _measure_likeness(key, near[0]) > _measure_likeness(key, near[1]) + 0.1):
            yield _build_finding(key, near[0], reads[key], writes[near[0]][0])


def _collect_keys(
    file: File, reads: dict[str, list[Place]], writes: dict[str, list[Place]], mentioned: dict[str, int]
) -> None:
    placed = _find_docstrings(file.tree)  # texts that are keys, or for people, so that they do not count as mentioned
    for node in file.nodes:
        match node:
            case ast.Subscript(value=base) if HINT.match(last_name(base)):
                continue  # `Optional["Order"]` names a class
            case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str() as key) as constant):
                reads[key].append((file.path, node.lineno))
                placed.add(id(constant))
            case ast.Subscript(ctx=ast.Store(), slice=ast.Constant(value=str() as key) as constant):
                writes[key].append((file.path, node.lineno))
                placed.add(id(constant))
            case ast.Dict(keys=keys):
                for key_node in keys:
                    if isinstance(key_node, ast.Constant) and isinstance(key_node.value, str):
                        writes[key_node.value].append((file.path, key_node.lineno))
                        placed.add(id(key_node))
            case ast.keyword(arg=str() as name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                mentioned[name] += 1  # `**kwargs`, `asdict`: each may write a key. A local variable cannot.
            case ast.Name(id=name, ctx=ast.Store()) if name.isupper():
                mentioned[name] += 1  # a class of settings (`app.config.from_object(Config)`)
    for node in file.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in placed:
            for word in re.findall(r"\w+", node.value) if len(node.value) < 2_000 else ():
                mentioned[word] += 1


def _find_docstrings(tree: ast.Module) -> set[int]:
    return {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _are_alike(first: str, second: str) -> bool:
    common, every = _split_words(first) & _split_words(second), _split_words(first) | _split_words(second)
    return _measure_likeness(first, second) >= NEAR and (
        2 * len(common) >= len(every) or first in second or second in first
    )


def _measure_likeness(first: str, second: str) -> float:
    return SequenceMatcher(None, "".join(sorted(_split_words(first))), "".join(sorted(_split_words(second)))).ratio()


def _split_words(key: str) -> set[str]:
    """The words of a name, however it is spelt, without a plural's ending."""
    parts = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", key)
    return {part.lower().removesuffix("s") for part in parts}


def _build_finding(key: str, near: str, places: list[Place], written_at: Place) -> Finding:
    file, line = places[0]
    return Finding(
        "GB501",
        f"`{key}` is read, and nothing here writes it; `{near}` is written, and nothing here reads it",
        file,
        line,
        f"{key} ~ {near}",
        Level.WARNING,
        ("likely: two lonely keys of nearly one name",),
        {near: "…"},
        True,
        (Related(f"`{near}` is written here", *written_at),),
    )


# Their author has seen it, and decided with another tool's comment.
SILENCED = re.compile(rb"#.*\b(?:type|ty|pyright|pyrefly|mypy)\s*:\s*ignore|#\s*noqa")


class UseChecker:
    """Goes through a project's code, function by function."""

    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures
        self.calls = CallChecker(signatures)
        self.fits = signatures.shape_checker
        self.called_from: dict[tuple[str, str], set[str]] = {}  # function -> the files that call it
        self.sent: Counter[str] = Counter()  # file -> calls that reach something in it

    def check_file(self, path: str) -> Iterator[Finding]:
        """Those of one file."""
        file = self.signatures.sources[path]
        if file is None:
            return
        lines = self.signatures.project.texts.read_content(path).splitlines()
        # What stands at the top of a module runs too. As a function it goes the same road.
        module = ast.FunctionDef("<module>", ast.arguments([], [], None, [], [], None, []), file.tree.body, [])
        module.lineno = 1
        for name, function in [*file.every, ("", module)]:
            frame = CodeScope(path, name, function if name else None)
            for finding in _FunctionChecker(self, file, frame, function).check():
                if not SILENCED.search(lines[finding.line - 1] if finding.line <= len(lines) else b""):
                    yield finding


class _FunctionChecker:
    def __init__(self, uses: UseChecker, file: File, frame: CodeScope, function: FunctionNode) -> None:
        self.uses, self.file, self.name, self.function = uses, file, frame.name, function
        self.fits, self.calls, self.signatures = uses.fits, uses.calls, uses.signatures
        self.values = ExpressionShapes(uses.signatures, frame)
        self.guarded: set[str] = set()  # words that the function looks for before it uses them
        self.careful: set[str] = set()  # exceptions that it expects

    def check(self) -> Iterator[Finding]:
        """Every use in the body, in the order of its lines."""
        nodes = list(walk_body(self.function.body))
        # Before the uses: code often looks first in one line and uses in the next.
        self._collect_guards(nodes)
        for node in nodes:
            match node:
                case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str() as key)):
                    yield from self._check_key(node, key)
                case ast.Attribute(ctx=ast.Load(), attr=attr):
                    yield from self._check_attribute(node, attr)
                case ast.Call():
                    yield from self._check_call(node)
                case ast.Return(value=ast.expr() as value) if self.function.returns is not None:
                    yield from self._check_return(node, value)
                case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
                    yield from self._check_unpacking(node, parts, value)

    def _collect_guards(self, nodes: list[ast.AST]) -> None:
        for node in nodes:
            match node:
                case ast.Compare(left=ast.Constant(value=str() as word), ops=[ast.In() | ast.NotIn()]):
                    self.guarded.add(word)
                case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(value=str() as word), *_]):
                    self.guarded.add(word)
                case ast.Call(func=ast.Name(id="isinstance"), args=[about, *_]):
                    self.guarded.add(ast.unparse(about))
                case ast.Call(func=ast.Name(id="len"), args=[_]):
                    self.guarded.add(ast.unparse(node))
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

    def _is_narrowed(self, expression: ast.expr) -> bool:
        """Whether the function asks what kind of thing an expression is."""
        # By its text, which is how far "the same expression" can be told without running it.
        return bool(self.guarded) and ("*" in self.guarded or ast.unparse(expression) in self.guarded)

    def _build_finding(
        self,
        code: str,
        node: ast.AST,
        message: str,
        subject: str,
        inferred: KnownShape,
        related: tuple[Related, ...] = (),
    ) -> Finding:
        sure, payload = inferred.level >= Certainty.CERTAIN, build_sample(inferred.shape)
        return Finding(
            code,
            message,
            self.file.path,
            getattr(node, "lineno", self.function.lineno),
            f"{self.name}: {subject}",
            Level.ERROR if sure else Level.WARNING,
            (
                f"{inferred.level.word}: {render_shape(inferred.shape)}"
                + (f", from the {inferred.source}" if inferred.source else ""),
            ),
            payload,
            (code != "GB502" and code != "GB503") or bool(payload),  # of an object without fields `{}` proves nothing
            related,
        )

    # ---- keys, attributes

    def _check_key(self, node: ast.Subscript, key: str) -> Iterator[Finding]:
        inferred = self.values.infer_shape(node.value)
        some = expand_union(strip_none(inferred.shape))
        if (
            key in self.guarded
            or self._expects("KeyError", "LookupError", "TypeError", "Exception")
            or self._is_narrowed(node.value)
        ):
            return
        # All alternatives must lack it. One that has it may be the one that is there.
        if not all(_has_no_key(option, key) for option in some):
            return
        what = render_shape(inferred.shape)
        subject = f'{ast.unparse(node.value)}["{key}"]'
        if all(isinstance(option, RecordShape) for option in some):
            field_names = ", ".join(
                dict.fromkeys(f.name for option in some if isinstance(option, RecordShape) for f in option.fields)
            )
            yield self._build_finding(
                "GB501",
                node,
                f"`{key}` is read, and what is there has only {field_names or 'no key'}",
                subject,
                inferred,
            )
        else:
            yield self._build_finding(
                "GB504", node, f"`{key}` is read from {what}, which has no keys", subject, inferred
            )

    def _check_attribute(self, node: ast.Attribute, attr: str) -> Iterator[Finding]:
        if attr in self.guarded or self._expects("AttributeError"):
            return
        if (cls := self._find_named_class(node.value)) is not None:
            if self.fits.class_lacks(cls.path, cls.name, attr):
                class_shape = KnownShape(InstanceShape(cls.path, cls.name), Certainty.DECLARED, "class")
                place = (self._locate_class(InstanceShape(cls.path, cls.name)),)
                yield self._build_finding(
                    "GB502", node, f"{cls.name} has no `{attr}`", f"{cls.name}.{attr}", class_shape, place
                )
            return
        inferred = self.values.infer_shape(node.value)
        if inferred.shape == UNKNOWN or inferred.source == "docstring" or self._is_narrowed(node.value):
            return
        some = expand_union(strip_none(inferred.shape))
        if NONE in some or not all(self.fits.lacks(option, attr) for option in some):
            return
        related = tuple(self._locate_class(option) for option in some if isinstance(option, InstanceShape))
        subject = f"{ast.unparse(node.value)[:60]}.{attr}"
        yield self._build_finding(
            "GB502",
            node,
            f"{render_shape(inferred.shape)} has no `{attr}`",
            subject,
            self._expand_fields(inferred),
            related,
        )

    def _find_named_class(self, expression: ast.expr) -> ClassRef | None:
        """The class that an expression names."""
        dotted = self.values.find_dotted_name(expression)
        resolved = self.signatures.index.look_up_dotted(self.file.path, dotted) if dotted is not None else None
        return resolved if isinstance(resolved, ClassRef) and not self._is_parameter(dotted or "") else None

    def _expand_fields(self, inferred: KnownShape) -> KnownShape:
        """An object of a class is shown by its fields."""
        if isinstance(inferred.shape, InstanceShape):
            target = self.calls.find_constructor(inferred.shape.path, inferred.shape.name)
            if target is not None:
                fields = tuple(RecordField(t.name, t.told.shape) for t in target.signature.takes)
                return KnownShape(RecordShape(fields), inferred.level, inferred.source)
        return inferred

    def _locate_class(self, shape: InstanceShape) -> Related:
        cls = self.signatures.index.find_class(shape.path, shape.name)
        return Related(f"{shape.name} is defined here", shape.path, cls.line if cls else 1)

    # ---- calls

    def _check_call(self, call: ast.Call) -> Iterator[Finding]:
        target = self._resolve_target(call)
        if target is None or self._expects("TypeError"):
            return
        self.uses.sent[target.path] += 1
        definition = (Related(f"{target.name} is defined here", target.path, target.line),)
        for name, sentence in self.calls.find_faults(call, target):
            arguments = KnownShape(_shape_arguments(call), Certainty.DECLARED, "signature")
            yield self._build_finding("GB503", call, sentence, f"{target.name}({name})", arguments, definition)
        for parameter, value in self.calls.match_arguments(call, target):
            inferred = self.values.infer_shape(value)
            if parameter.told.level < Certainty.CERTAIN or self._is_narrowed(value):
                continue
            if self.fits.contradicts(inferred.shape, parameter.told.shape):
                sentence = (
                    f"{target.name} takes {render_shape(parameter.told.shape)} as `{parameter.name}`, and gets "
                    f"{render_shape(inferred.shape)}"
                )
                yield self._build_finding(
                    "GB504", value, sentence, f"{target.name}({parameter.name})", inferred, definition
                )

    def _resolve_target(self, call: ast.Call) -> Callee | None:
        index = self.signatures.index
        match call.func:
            case ast.Name(id=name) if name not in self.values.frame.collect_assignments() and not self._is_parameter(
                name
            ):
                resolved = index.look_up(self.file.path, name)
                return self._build_callee(resolved, name)
            case ast.Attribute(value=base, attr=attr):
                dotted = self.values.find_dotted_name(base)
                if dotted is not None:
                    if isinstance(index.look_up_dotted(self.file.path, dotted), ClassRef):
                        return None  # `Class.method(…)`: self may be given, or not
                    return self._build_callee(index.look_up_dotted(self.file.path, f"{dotted}.{attr}"), attr)
                return self._resolve_method(self.values.infer_shape(base), attr)
        return None

    def _is_parameter(self, name: str) -> bool:
        return any(arg.arg == name for arg, _, _ in syntax.list_parameters(self.function.args))

    def _build_callee(self, resolved: object, name: str) -> Callee | None:
        match resolved:
            case ClassRef(path=path, name=cls):
                return self.calls.find_constructor(path, cls)
            case FunctionRef(path=path):
                signature = self.signatures.find_for_code(resolved)
                self.uses.called_from.setdefault((path, resolved.name), set()).add(self.file.path)
                if signature is None or signature.strange or self.signatures.is_defined_twice(resolved):
                    return None
                return Callee(name, signature, path, self.signatures.find_line(resolved))
        return None

    def _resolve_method(self, inferred: KnownShape, attr: str) -> Callee | None:
        if not isinstance(inferred.shape, InstanceShape):
            return None
        function_key = self.signatures.members.find_method(inferred.shape, attr)
        signature = self.signatures.find(*function_key) if function_key is not None else None
        if function_key is None or signature is None or signature.strange or inferred.level < Certainty.LIKELY:
            return None
        function = self.signatures.index.facts[function_key[0]].functions[function_key[1]]
        if {"property", "cached_property", "setter"} & {d.rpartition(".")[2] for d in function.decorators}:
            return None
        return Callee(f"{inferred.shape.name}.{attr}", signature, function_key[0], function.line)

    # ---- returns

    def _check_return(self, node: ast.Return, value: ast.expr) -> Iterator[Finding]:
        hinted = self.signatures.hints.read_shape(self.file.path, self.function.returns or ast.Constant(None))
        words = [ast.unparse(d) for d in self.function.decorator_list]
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in walk_body(self.function.body)) or words:
            return
        inferred = self.values.infer_shape(value)
        if hinted == NONE or self._is_narrowed(value) or not self.fits.contradicts(inferred.shape, hinted):
            return
        sentence = f"{self.name} promises {render_shape(hinted)}, and returns {render_shape(inferred.shape)}"
        yield self._build_finding("GB505", node, sentence, f"-> {render_shape(hinted)}", inferred)

    def _check_unpacking(self, node: ast.Assign, parts: list[ast.expr], value: ast.expr) -> Iterator[Finding]:
        inferred = self.values.infer_shape(value)
        if any(isinstance(p, ast.Starred) for p in parts) or isinstance(value, ast.Tuple):
            return
        if f"len({ast.unparse(value)})" in self.guarded:
            return
        some = expand_union(strip_none(inferred.shape))
        if all(_cannot_unpack(option, len(parts)) for option in some):
            sentence = f"{len(parts)} values are taken from {render_shape(inferred.shape)}"
            if any(isinstance(option, MappingShape) for option in some):  # its keys may be meant, though hardly ever
                inferred = replace(inferred, level=min(inferred.level, Certainty.LIKELY))
            yield self._build_finding("GB504", node, sentence, f"{ast.unparse(value)[:60]} into {len(parts)}", inferred)


def _has_no_key(shape: Shape, key: str) -> bool:
    match shape:
        case RecordShape(open=False):
            return shape.find_field(key) is None
        case PlainShape(name="str" | "int" | "float" | "bool" | "bytes") | TupleShape():
            return True
        case ContainerShape(kind="list" | "set" | "tuple" | "frozenset"):
            return True
    return False


def _cannot_unpack(shape: Shape, number: int) -> bool:
    """Whether a value cannot be taken apart into that many names."""
    match shape:
        case TupleShape(elements=elements):
            return len(elements) != number
        case RecordShape(fields=fields, open=False):
            return len(fields) != number
        case MappingShape(value=value):
            return number > 1 and value != UNKNOWN
    return _is_indivisible(shape)


def _is_indivisible(shape: Shape) -> bool:
    """Whether a value cannot be taken apart."""
    return isinstance(shape, PlainShape) and shape.name in ("int", "float", "bool")


def _shape_arguments(call: ast.Call) -> Shape:
    """What a call gives, by name: shown as the payload."""
    return RecordShape(tuple(RecordField(k.arg, UNKNOWN) for k in call.keywords if k.arg))
