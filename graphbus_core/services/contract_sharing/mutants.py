"""Mutants of changed Python code: for each changed part, texts that stand in for it and mean something else.

Where every recorded payload stays as it was with such a text in place, no test shows what the part does. Two questions
are asked. Does it run: a text that ends the process stands in its place. Does it matter: a literal is another one, an
operand is left out, a condition is always true. In place of a value for what is away (`or ""`, `.get(name, "")`) stands
each text, too, that the change names or the tests record: code that looks at the value may tell no other texts apart.
Not so for a text that is looked for: another one would be found where the code looks for something else.

Left out is what sends nothing (a block that ends in `raise`), and what only declares (annotations, and names that
nothing but annotations read). Pure.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

END_PROCESS = '__import__("os")._exit(86)'  # no `except` of the tests catches it
_FAR = 10**9  # so far from a number that a bound between is crossed
_MOST_TEXTS = 20  # that stand in for a value which is away
_NOTHING_SENT = (ast.Raise, ast.Assert, ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)
_BLOCKS = ("body", "orelse", "finalbody")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Part:
    """A part of changed code, as a span of bytes, and what may stand in its place.

    `must_run`: the question is whether it runs at all. `fields`: it can reach a payload under these names alone.
    `is_aside`: it is in a call that can hardly change a payload, as one that writes a log."""

    line: int
    text: str
    start: int
    end: int
    replacements: tuple[str, ...]
    must_run: bool
    fields: frozenset[str] = frozenset()
    is_aside: bool = False


@dataclass(frozen=True)
class NameUses:
    """The names that annotations read, and those that other code does."""

    in_annotations: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()

    def __or__(self, other: NameUses) -> NameUses:
        return NameUses(self.in_annotations | other.in_annotations, self.elsewhere | other.elsewhere)


def find_parts(
    source: bytes, changed: frozenset[int], uses: NameUses = NameUses(), recorded: Sequence[str] = ()
) -> list[Part]:
    """The parts on changed lines. `uses`: what other files do with the names of this one; `recorded`: texts that the
    tests record. Raises SyntaxError."""
    tree = ast.parse(source)
    return list(_PartFinder(source, tree, changed, uses, recorded).find())


def find_uses(source: bytes) -> NameUses:
    """What a file does with the names that it reads. Raises SyntaxError."""
    return _find_uses(ast.parse(source), frozenset())


class _PartFinder:
    def __init__(
        self, source: bytes, tree: ast.Module, changed: frozenset[int], uses: NameUses, recorded: Sequence[str]
    ) -> None:
        self._source = source
        self._tree = tree
        self._changed = changed
        self._offsets = [0]
        for line in source.splitlines(keepends=True):
            self._offsets.append(self._offsets[-1] + len(line))
        self._types = _find_type_names(tree, uses)
        self._holders = _find_holders(tree)
        self._own = _find_own_names(tree)
        self._fallbacks = _find_fallbacks(tree)
        self._texts = list(dict.fromkeys([*_list_texts(tree, changed), *recorded]))[:_MOST_TEXTS]
        self._statement: ast.stmt | None = None
        self._in_function = False

    def find(self) -> Iterator[Part]:
        yield from self._walk_block(self._tree.body, in_function=False)

    def _walk_block(self, block: Sequence[ast.stmt], in_function: bool) -> Iterator[Part]:
        if in_function and _sends_nothing(block):
            return
        for statement in block:
            yield from self._walk_statement(statement, in_function)

    def _walk_statement(self, node: ast.stmt, in_function: bool) -> Iterator[Part]:
        if isinstance(node, _NOTHING_SENT) or _is_docstring(node) or self._declares_type(node):
            return
        if isinstance(node, _Function):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                yield from self._walk_expression(default, frozenset())
            yield from self._walk_block(node.body, in_function=True)
            return
        fields = self._find_fields(node) if in_function else frozenset()
        before, self._statement = self._statement, node
        self._in_function = in_function
        if in_function and not any(getattr(node, name, None) for name in (*_BLOCKS, "cases", "handlers")):
            yield from self._build(node, END_PROCESS, must_run=True, fields=fields)
        if isinstance(node, ast.If) and not node.orelse:
            yield from self._build(node.test, "True", fields=fields)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "decorator_list", "bases", "keywords", *_BLOCKS, "cases", "handlers"):
                continue
            for inner in value if isinstance(value, list) else [value]:
                yield from self._walk_expression(inner, fields)
        self._statement = before
        yield from self._walk_inner_blocks(node, in_function)

    def _walk_inner_blocks(self, node: ast.stmt, in_function: bool) -> Iterator[Part]:
        for name in _BLOCKS:
            yield from self._walk_block(getattr(node, name, None) or [], in_function)
        for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from self._walk_expression(getattr(branch, "guard", None), frozenset())
            yield from self._walk_block(branch.body, in_function)

    def _walk_expression(self, node: object, fields: frozenset[str]) -> Iterator[Part]:
        if not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr):
            if isinstance(node, ast.JoinedStr):
                yield from self._build(node, '"~"', fields=fields)
            return
        yield from self._list_parts_of(node, fields)
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                inner = self._keep_unread(key, node) or fields
                yield from self._walk_expression(key, inner)
                yield from self._walk_expression(value, inner)
            return
        for child in ast.iter_child_nodes(node):
            yield from self._walk_expression(child, fields)

    def _list_parts_of(self, node: ast.AST, fields: frozenset[str]) -> Iterator[Part]:
        """What this node itself asks: which arms run, and what its operands and literals do."""
        match node:
            case ast.Constant():
                is_fallback = id(node) in self._fallbacks and isinstance(node.value, str | None)
                texts = [repr(text) for text in self._texts if is_fallback and text != node.value]
                yield from self._build(node, *_vary(node.value), *texts, fields=fields)
            case ast.IfExp():
                for arm in (node.body, node.orelse):
                    yield from self._build(arm, END_PROCESS, must_run=True, fields=fields)
            case ast.BoolOp():
                for value in node.values[1:]:
                    yield from self._build(value, END_PROCESS, must_run=True, fields=fields)
                for number, value in enumerate(node.values):
                    rest = ast.unparse(ast.BoolOp(node.op, [v for i, v in enumerate(node.values) if i != number]))
                    yield from self._build(node, f"({rest})", fields=fields, shown=value)
            case ast.Lambda():
                yield from self._build(node.body, END_PROCESS, must_run=True, fields=fields)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                yield from self._build(node.elt, END_PROCESS, must_run=True, fields=fields)
            case ast.DictComp():
                yield from self._build(node.value, END_PROCESS, must_run=True, fields=fields)
            case ast.comprehension():
                for condition in node.ifs:
                    yield from self._build(condition, "True", fields=fields)

    def _build(
        self,
        node: ast.expr | ast.stmt,
        *replacements: str,
        must_run: bool = False,
        fields: frozenset[str] = frozenset(),
        shown: ast.expr | None = None,
    ) -> Iterator[Part]:
        """The part of a node, where a line of it is changed. `shown`: what is named, if not the whole."""
        named = shown or node
        lines = range(named.lineno, (named.end_lineno or named.lineno) + 1)
        if not replacements or not self._changed.intersection(lines):
            return
        start, end = self._locate(node)
        named_start, named_end = self._locate(named)
        text = b" ".join(self._source[named_start:named_end].split()).decode("utf-8", "replace")
        line = next(line for line in lines if line in self._changed)
        yield Part(line, text, start, end, replacements, must_run, fields, self._is_aside())

    def _locate(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._offsets[node.lineno - 1] + node.col_offset,
            self._offsets[node.end_lineno - 1] + node.end_col_offset,
        )

    def _is_aside(self) -> bool:
        """Whether we are in a call whose result nobody takes, of a function that this module does not make for itself,
        and to which no variable is handed whole."""
        node = self._statement
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            return False
        call = node.value
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(isinstance(value, ast.Name | ast.Starred | ast.Lambda) for value in values):
            return False
        named = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        return isinstance(named, ast.Name) and named.id not in self._own

    def _declares_type(self, node: ast.stmt) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(node, ast.ClassDef):
            names = [node.name]
        is_alias = type(node).__name__ == "TypeAlias"  # `type X = …`, of Python 3.12
        return is_alias or (bool(names) and self._types.issuperset(names))

    def _find_fields(self, node: ast.stmt) -> frozenset[str]:
        """The names under which alone a statement can reach a payload; empty where it is not that plain."""
        if isinstance(node, ast.If) and not node.orelse:
            fields = [self._find_fields(inner) for inner in node.body]
            return frozenset[str]().union(*fields) if all(fields) else frozenset()
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found: set[str] = set()
        for target in targets:
            if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
                return frozenset()
            name = _read_key(target.slice)
            if name is None or name in self._holders.get(target.value.id, {name}):
                return frozenset()
            found.add(name)
        return frozenset(found)

    def _keep_unread(self, key: ast.expr | None, display: ast.Dict) -> frozenset[str]:
        """A name in a dict that is written down, where the variable that holds it all is not asked for it again.

        The dict is the value of the statement, or stands in that: below a name, in a list, made for each of something.
        """
        name = _read_key(key)
        if name is None:
            return frozenset()
        node = self._statement
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        below = name if value is display else _find_name_above(value, display)
        if not self._in_function or below is None:
            return frozenset()
        holder = target.id if isinstance(target, ast.Name) else ""
        is_plain = below not in self._holders.get(holder, {below}) or isinstance(node, ast.Return)
        return frozenset({name}) if is_plain else frozenset()


def _find_name_above(value: ast.expr | None, display: ast.Dict) -> str | None:
    """The name in a dict that is written down below which another one stands; None where it is handed to something."""
    if not isinstance(value, ast.Dict):
        return None
    for key, inner in zip(value.keys, value.values, strict=True):
        if any(found is display for found in _list_displays(inner)):
            return _read_key(key)
    return None


def _list_displays(node: ast.expr) -> Iterator[ast.Dict]:
    """The dicts of which a value is built, without what calls and operators are given."""
    match node:
        case ast.Dict():
            yield node
            for inner in node.values:
                yield from _list_displays(inner)
        case ast.List() | ast.Tuple():
            for inner in node.elts:
                yield from _list_displays(inner)
        case ast.ListComp():
            yield from _list_displays(node.elt)


def _vary(value: object) -> tuple[str, ...]:
    """Literals that are not this one."""
    match value:
        case bool():
            return (repr(not value),)
        case None:
            return ('"~"',)
        case int() | float():
            return (repr(value + _FAR), repr(-value - _FAR))
        case str():
            return (repr(value + "~"),)
        case bytes():
            return (repr(value + b"~"),)
    return ()


def _find_fallbacks(tree: ast.Module) -> frozenset[int]:
    """The nodes that give a value in place of another: an operand of `or`, an arm of a choice, what `get` is given."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(op=ast.Or()):
                found += node.values[1:]
            case ast.IfExp():
                found += [node.body, node.orelse]
            case ast.Call(func=ast.Attribute(attr="get"), args=[_, fallback]):
                found.append(fallback)
    return frozenset(map(id, found))


def _list_texts(tree: ast.Module, changed: frozenset[int]) -> Iterator[str]:
    """The texts on changed lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.lineno in changed:
            yield node.value


def _sends_nothing(block: Sequence[ast.stmt]) -> bool:
    """Whether a block always ends in an error, so that no payload comes of it."""
    if not block or not isinstance(block[-1], ast.Raise):
        return False
    leaves = (ast.Return, ast.Yield, ast.YieldFrom, ast.Break, ast.Continue)
    return not any(isinstance(node, leaves) for statement in block for node in ast.walk(statement))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _read_key(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _find_holders(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Variables that do nothing but hold what is sent, and the names that are read back from each.

    Such a variable is returned, is put under a name of another one, or has a value put under a name of its own."""
    plain: dict[str, set[str]] = {}
    allowed: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=ast.Name() as name):
                allowed.add(id(name))
            case ast.Subscript(value=ast.Name() as name, slice=ast.Constant(value=str() as key)):
                allowed.add(id(name))
                if isinstance(node.ctx, ast.Load):
                    plain.setdefault(name.id, set()).add(key)
            case ast.Dict():
                allowed |= {id(value) for key, value in zip(node.keys, node.values, strict=True) if _read_key(key)}
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant())], value=ast.Name() as name):
                allowed.add(id(name))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    mixed = {name.id for name in names if isinstance(name.ctx, ast.Load) and id(name) not in allowed}
    return {name.id: frozenset(plain.get(name.id, ())) for name in names if name.id not in mixed}


def _find_own_names(tree: ast.Module) -> set[str]:
    """Functions of this module, and variables of functions: what is done with them may change a payload."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, _Function | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, _Function | ast.Lambda):
            arguments = [inner.arg for inner in ast.walk(node.args) if isinstance(inner, ast.arg)]
            stored = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))
            found |= {*arguments, *(inner.id for inner in stored if isinstance(inner.ctx, ast.Store))}
    return found


def _find_uses(tree: ast.Module, ignored: frozenset[int]) -> NameUses:
    annotations = [
        annotation
        for node in ast.walk(tree)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(annotation, ast.AST)
    ]
    inside = {id(node) for annotation in annotations for node in ast.walk(annotation)}
    found: tuple[set[str], set[str]] = (set(), set())
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in ignored:
            found[id(node) not in inside].add(node.id if isinstance(node, ast.Name) else node.attr)
    return NameUses(frozenset(found[0]), frozenset(found[1]))


def _find_type_names(tree: ast.Module, uses: NameUses) -> frozenset[str]:
    """Names at the top, assigned or of classes, that annotations alone read, or others of these names.

    A class that reads its own annotations as it runs (a model, an enumeration in one) is used by other code, and what
    its annotations name is, too; so are those of a decorated function."""
    candidates: dict[str, ast.Assign | ast.ClassDef] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.decorator_list:
            candidates[node.name] = node
        elif isinstance(node, ast.Assign):
            candidates |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    while True:
        inside = [
            (name, inner)
            for name, node in candidates.items()
            for inner in ast.walk(node.value if isinstance(node, ast.Assign) else node)
        ]
        own = _find_uses(tree, frozenset(id(inner) for _, inner in inside)) | uses
        of_types = {inner.id for name, inner in inside if isinstance(inner, ast.Name) and inner.id != name}
        at_run_time = own.elsewhere | _find_names_read_at_run_time(tree, candidates) | uses.in_annotations
        types = {
            name: node
            for name, node in candidates.items()
            if name in own.in_annotations | of_types
            and name not in (own.elsewhere if isinstance(node, ast.Assign) else at_run_time)
        }
        if types.keys() == candidates.keys():
            return frozenset(types)
        candidates = types


def _find_names_read_at_run_time(tree: ast.Module, types: Mapping[str, ast.Assign | ast.ClassDef]) -> set[str]:
    """The names in classes that are used, and around functions with a decorator: these may read their annotations."""
    readers = [
        part
        for node in ast.walk(tree)
        for part in (
            [node]
            if isinstance(node, ast.ClassDef) and types.get(node.name) is not node
            else [node.args, node.returns]
            if isinstance(node, _Function) and node.decorator_list
            else []
        )
        if part is not None
    ]
    return {inner.id for part in readers for inner in ast.walk(part) if isinstance(inner, ast.Name)}
