"""Tests, each in many variants: other numbers and words in place of its own. Text in, text out; runs confined.

A test says how its objects are made and where its author looks. A variant keeps both and changes what is given. Each
`assert` becomes a look: what stands on its sides is told, and the test goes on.
"""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from .inputs import extend_beyond, find_neighbours
from .steps import write_ways
from .substitutes import substitute

LOOK = "graphbus_look"
MARK = "__variant"
VARIANTS = 14  # of one test, beside the one that is as it was written, in which something is given otherwise
AGAIN = 6  # in which something is done once more
LESS = 4  # in which a step is left out: what stands in for something else is not put there, or what was set is not
LEFT = 4  # in which an argument is what it is where a call does not give it
SHUFFLED = 24  # in which the numbers that it gives stand in another order
MAX_SUBSTITUTED = 10  # in which things are what the project makes of them
MADE = 3  # in which an object is what the project makes, and not the test
_DIGITS = 18  # of a number that changes places: Python reads no text of thousands of them
_NUMERAL = re.compile(rf"(?<!\d)\d{{1,{_DIGITS}}}(?!\d)(?:\.\d{{1,{_DIGITS}}}(?!\d))?")
_MADE = "graphbus_made"
Defaults = Mapping[str, Sequence[tuple[str, Sequence[Any]]]]  # function -> parameters, and what each is by itself
Makers = Mapping[str, Sequence[tuple[Sequence[str], str, str]]]  # class -> fixtures, statements, and the call
Function = ast.FunctionDef | ast.AsyncFunctionDef
Display = ast.List | ast.Tuple | ast.Set


class _Looks(ast.NodeTransformer):
    """Puts a look in the place of each `assert`, as a statement or as a method of unittest."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        return [self._look(part) for part in _list_sides(node)] or [ast.Pass()]

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        if not _is_asserted(node):
            return node
        return [self._look(part) for part in _list_sides(node)] or [ast.Pass()]

    def _look(self, part: ast.expr) -> ast.stmt:
        def tell(*what: ast.expr) -> ast.stmt:
            return ast.Expr(ast.Call(ast.Name(LOOK, ast.Load()), [*what], []))

        handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), f"{LOOK}_error", [
            tell(ast.Name(f"{LOOK}_error", ast.Load()), ast.Constant(True))
        ])  # fmt: skip
        return ast.Try([tell(part)], [handler], [], [])


def _is_asserted(node: ast.stmt) -> bool:
    """Whether a statement is one of unittest's looks at values; not those that call what they are given."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name))):
            return name.startswith("assert") and not name.startswith(("assertRaises", "assertWarns", "assertLogs"))
    return False


def _list_sides(look: ast.stmt) -> list[ast.expr]:
    """What a look looks at."""
    if isinstance(look, ast.Assert):
        return list(_list_looked_at(look.test))
    assert isinstance(look, ast.Expr)
    assert isinstance(look.value, ast.Call)
    return [part for part in look.value.args if not _is_data(part)]


def _list_looked_at(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _list_looked_at(value)
        case ast.Compare(left=left, comparators=others):
            yield from (part for part in (left, *others) if not _is_data(part))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _list_looked_at(operand)
        case _:
            yield node


def write_variants(
    text: str,
    tests: Sequence[str],
    literals: Sequence[Any],
    sizes: Sequence[int] = (),
    defaults: Defaults | None = None,
    makers: Makers | None = None,
    products: Sequence[Sequence[Any]] | None = None,
    steps: Sequence[Sequence[Any]] | None = None,
) -> str:
    """The text of a file of tests with the variants of some of them, and without the rest of the tests."""
    tree = ast.parse(text)
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    constants: dict[str, ast.expr] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_data(value) and stored.count(name) == 1:
                constants[name] = value

    def vary(test: Function) -> Iterator[ast.stmt]:
        if steps is not None:
            return _name_variants(test, write_ways(test, steps, _list_looks(test)))
        if products is not None:
            return _substitute(test, constants, products)
        return _vary(test, constants, literals, sizes, defaults or {}, makers or {})

    tree.body = _vary_all(tree.body, "", set(tests), vary)
    return ast.unparse(ast.fix_missing_locations(_Looks().visit(tree)))


def write_looks(text: str) -> str:
    """The text of a file of tests that look, and go on."""
    return ast.unparse(ast.fix_missing_locations(_Looks().visit(ast.parse(text))))


def _vary_all(
    body: list[ast.stmt], prefix: str, tests: set[str], vary: Callable[[Function], Iterator[ast.stmt]]
) -> list[ast.stmt]:
    out: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.ClassDef) and _holds_tests(node):
            node.body = _vary_all(node.body, f"{node.name}::", tests, vary) or [ast.Pass()]
        if not isinstance(node, Function) or not node.name.startswith("test"):
            out.append(node)
        elif f"{prefix}{node.name}" in tests:
            out += vary(node)
    return out


def _holds_tests(node: ast.ClassDef) -> bool:
    """Whether pytest looks for tests in a class: by its name, or as one of unittest's, whatever it is called."""
    return node.name.startswith("Test") or any(ast.unparse(base).endswith("TestCase") for base in node.bases)


def _vary(
    test: Function,
    constants: dict[str, ast.expr],
    literals: Sequence[Any],
    sizes: Sequence[int],
    defaults: Defaults,
    makers: Makers,
) -> Iterator[ast.stmt]:
    """The test as it is, and its variants: no two are the same."""
    chance = random.Random(ast.unparse(test))
    known: set[str] = set()
    drawn = (_give_otherwise(test, constants, chance, literals, sizes) for _ in range(3 * VARIANTS))
    for variants, count in (
        ([copy.deepcopy(test)], 1),
        (drawn, VARIANTS),
        (_do_again(test, constants, chance, literals), AGAIN),
        (_do_less(test), LESS),
        (_leave_out(test, defaults), LEFT),
        (_look_before(test), 1),
        (_shuffle_numbers(test, constants), SHUFFLED),
        (_have_made(test, makers), MADE),
    ):
        limit = len(known) + count
        for variant in variants:
            text = ast.unparse(variant)
            if text not in known and len(known) < limit:
                variant.name = f"{test.name}{MARK}{len(known)}"
                known.add(text)
                yield variant


def _substitute(
    test: Function, constants: dict[str, ast.expr], products: Sequence[Sequence[Any]]
) -> Iterator[ast.stmt]:
    """The test as it is, and with what the project makes in the place of what it makes by hand. All trees have the same
    number of them."""
    whole = copy.deepcopy(test)
    _bring_in(whole, constants)
    substituted = islice(substitute(whole, products), MAX_SUBSTITUTED)
    yield from _name_variants(test, [copy.deepcopy(test), *substituted])


def _name_variants(test: Function, variants: Iterable[Function]) -> Iterator[ast.stmt]:
    for i, variant in enumerate(variants):
        variant.name = f"{test.name}{MARK}{i}"
        yield variant


def _list_looks(test: Function) -> list[ast.stmt]:
    return [s for s in test.body if isinstance(s, ast.Assert) or _is_asserted(s)]


def _give_otherwise(
    test: Function, constants: dict[str, ast.expr], chance: random.Random, literals: Sequence[Any], sizes: Sequence[int]
) -> Function:
    """Other numbers, words and lists than the test gives."""
    variant = copy.deepcopy(test)
    _bring_in(variant, constants)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(_list_given(variant))
        if places:
            _change(*chance.choice(places), chance, literals, sizes)
    return variant


def _do_again(
    test: Function, constants: dict[str, ast.expr], chance: random.Random, literals: Sequence[Any]
) -> Iterator[Function]:
    """What is done for its effect is done once more, a little otherwise: two entries have an order, one has none."""
    for _ in range(2 * AGAIN):
        variant = copy.deepcopy(test)
        _bring_in(variant, constants)
        blocks = [body for body in _list_blocks(variant) if any(map(_is_done, body))]
        if not blocks:
            return
        body = chance.choice(blocks)
        i = chance.choice([i for i, statement in enumerate(body) if _is_done(statement)])
        again = copy.deepcopy(body[i])
        for _ in range(chance.choice((0, 1, 1, 2))):
            places = list(_list_places([again]))
            if places:
                _change(*chance.choice(places), chance, literals)
        body.insert(i + 1, again)
        yield variant


def _do_less(test: Function) -> Iterator[Function]:
    """Something that is set, or done for its effect, is left out; what is set comes first, as stand-ins are, and with
    it goes what is asked of it."""
    for is_kind in (_is_set, _is_done):
        for i in range(sum(map(len, _list_blocks(test)))):
            variant = copy.deepcopy(test)
            body, j = [(body, j) for body in _list_blocks(variant) for j in range(len(body))][i]
            if is_kind(body[j]):
                left = body.pop(j)
                heads = [f"{ast.unparse(target)}." for target in getattr(left, "targets", ())]
                body[:] = [s for s in body if not any(head in ast.unparse(s) for head in heads)] or [ast.Pass()]
                yield variant


def _is_set(statement: ast.stmt) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(targets) and all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)


def _list_blocks(test: Function) -> list[list[ast.stmt]]:
    return [node.body for node in ast.walk(test) if isinstance(node, Function | ast.With | ast.For | ast.If)]


def _is_done(statement: ast.stmt) -> bool:
    return not _is_asserted(statement) and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def _leave_out(test: Function, defaults: Defaults) -> Iterator[Function]:
    """An argument is given as what it is where a call does not give it."""
    count = sum(isinstance(node, ast.Call) for node in ast.walk(test))
    for i in range(count):
        variant = copy.deepcopy(test)
        call = [node for node in ast.walk(variant) if isinstance(node, ast.Call)][i]
        parameters = defaults.get(getattr(call.func, "attr", getattr(call.func, "id", "")), ())
        for j, (name, value) in enumerate(parameters):
            keywords = [k for k in call.keywords if k.arg == name]
            if value and keywords and isinstance(keywords[0].value, ast.Constant):
                keywords[0].value = ast.Constant(value[0])
                yield copy.deepcopy(variant)
            elif value and j < len(call.args) and isinstance(call.args[j], ast.Constant):
                call.args[j] = ast.Constant(value[0])
                yield copy.deepcopy(variant)


def _look_before(test: Function) -> Iterator[Function]:
    """Who looks at the end looks before, too, after each step: what was looked at once may have been kept."""
    variant = copy.deepcopy(test)
    looks = _list_looks(variant)
    body: list[ast.stmt] = []
    for statement in variant.body:
        body.append(statement)
        if statement not in looks:
            handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
            for look in looks:
                parts = [ast.Expr(copy.deepcopy(part)) for part in _list_sides(look)]
                body += [ast.Try([part], [handler], [], []) for part in parts]
    variant.body = body
    yield variant


def _shuffle_numbers(test: Function, constants: dict[str, ast.expr]) -> Iterator[Function]:
    """The numbers that the test gives, those within texts, too, in each other's places, and some with the other sign:
    which of two is the larger one is by chance in a test, and code may rely on it."""
    chance = random.Random(ast.unparse(test))
    for _ in range(2 * SHUFFLED):
        variant = copy.deepcopy(test)
        _bring_in(variant, constants)
        given = [node for node in _list_constants(variant) if _NUMERAL.search(str(node.value))]
        numerals = [numeral for node in given for numeral in _NUMERAL.findall(str(node.value))]
        chance.shuffle(numerals)
        if numerals and chance.random() < 0.5:
            i = chance.randrange(len(numerals))
            numerals[i] = chance.choice(["0", f"-{numerals[i]}"])
        for node in given:
            if isinstance(node.value, str):
                node.value = _NUMERAL.sub(lambda _, left=numerals: left.pop(), node.value)  # type: ignore[misc]
            else:
                text = numerals.pop()
                node.value = float(text) if "." in text else int(text)
        yield variant


def _list_constants(test: Function) -> list[ast.Constant]:
    """The texts and numbers that a test gives."""
    parts = (getattr(n, field) if i is None else getattr(n, field)[i] for n, field, i in _list_given(test))
    return [p for p in parts if isinstance(p, ast.Constant) and type(p.value) in (int, float, str)]


def _have_made(test: Function, makers: Makers) -> Iterator[Function]:
    """An object that the test makes by itself is one that the project gives, as another test comes to it."""
    for name, ways in makers.items():
        for fixtures, statements, call in ways:
            variant = copy.deepcopy(test)
            replacing = _Made(name)
            variant = replacing.visit(variant)
            if replacing.count == 1:
                known = {argument.arg for argument in ast.walk(variant.args) if isinstance(argument, ast.arg)}
                variant.args.args += [ast.arg(fixture) for fixture in fixtures if fixture not in known]
                variant.body[:0] = ast.parse(f"{statements}\n{_MADE} = {call}").body
                yield variant


class _Made(ast.NodeTransformer):
    """Puts a name in the place of the calls of a class."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if ast.unparse(node.func).rpartition(".")[2] != self.name:
            self.generic_visit(node)
            return node
        self.count += 1
        return ast.Name(_MADE, ast.Load())


def _bring_in(test: Function, constants: dict[str, ast.expr]) -> None:
    """What the file gives a name to, given within the test, so that it can be another there."""
    names = {n.id: isinstance(n.ctx, ast.Load) for n in ast.walk(test) if isinstance(n, ast.Name)}
    stored = {n.id for n in ast.walk(test) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    arguments = {a.arg for a in ast.walk(test.args) if isinstance(a, ast.arg)}
    for name in names:
        if name in constants and name not in stored | arguments:
            test.body.insert(0, ast.Assign([ast.Name(name, ast.Store())], copy.deepcopy(constants[name]), lineno=1))


def _is_data(node: ast.expr) -> bool:
    """Whether it is literals all through."""
    parts = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.expr_context, ast.UnaryOp, ast.unaryop)
    return all(isinstance(part, parts) for part in ast.walk(node))


_Place = tuple[ast.AST, str, int | None]  # a node, one of its fields, and where in that


def _list_given(test: Function) -> Iterator[_Place]:
    """The literals that a test gives. What its decorators give keeps its form: the names that a table of parameters
    has count its columns, and a table that does not fit them takes all tests of its file with it."""
    yield from _list_places(test.body)
    for decorator in test.decorator_list:
        for table in decorator.args[1:] if isinstance(decorator, ast.Call) else ():
            for node, field, i in _list_places([table]):
                if isinstance(getattr(node, field) if i is None else getattr(node, field)[i], ast.Constant):
                    yield node, field, i


def _list_places(nodes: Sequence[ast.AST]) -> Iterator[_Place]:
    """The literals of a test that it gives; not those that it expects."""
    waiting: list[ast.AST] = [*nodes]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.stmt) and _is_asserted(node):
            waiting += _list_sides(node)
            continue
        for field, value in ast.iter_fields(node):
            if field == "comparators" and not any(isinstance(n, ast.Call) for v in value for n in ast.walk(v)):
                continue
            if field in ("keys", "slice"):
                continue  # the names of what is given
            if field == "left" and isinstance(node, ast.Compare) and isinstance(value, ast.Constant):
                continue
            for i, part in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(part, ast.AST):
                    continue
                waiting.append(part)
                is_target = isinstance(getattr(part, "ctx", None), ast.Store | ast.Del)
                if isinstance(part, ast.Constant | Display) and not is_target:
                    yield node, field, i if isinstance(value, list) else None


def _change(
    node: ast.AST, field: str, i: int | None, chance: random.Random, literals: Sequence[Any], sizes: Sequence[int] = ()
) -> None:
    """Put another literal in a place."""
    values = getattr(node, field)
    old = values if i is None else values[i]
    new: ast.AST = old
    match old:
        case ast.Constant(value=value):
            words = [word for word in literals if isinstance(word, str) and word]
            options = list(find_neighbours(value, words, chance, "" in literals))
            options += chance.sample(same, min(4, len(same))) if (same := _list_same(value, literals)) else []
            if not options:
                return
            new = ast.Constant(chance.choice(options))
            if isinstance(node, ast.JoinedStr) and not isinstance(new.value, str):
                return
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) if parts:
            j = chance.randrange(len(parts))
            fewer, more = [*parts[:j], *parts[j + 1 :]], [*parts, parts[j]]
            longer = [extend_beyond(parts, size) for size in sizes]
            changed = chance.choice([fewer, more, parts[::-1], parts[:1], *longer])
            new = type(old)(changed, ast.Load()) if not isinstance(old, ast.Set) else ast.Set(changed or parts)
        case ast.List() | ast.Tuple() if literals:
            count = chance.randrange(1, 3)
            drawn: list[ast.expr] = [ast.Constant(word) for word in chance.choices(list(literals), k=count)]
            new = type(old)(drawn, ast.Load())
    if i is None:
        setattr(node, field, new)
    else:
        values[i] = new


def _list_same(value: Any, literals: Sequence[Any], sizes: Sequence[int] = ()) -> list[Any]:
    kinds = (int, float) if type(value) in (int, float) else (type(value),)
    return [other for other in literals if type(other) in kinds and other != value]
