"""Finds lookups that are filled where they miss: `if k not in M: M[k] = f(k)`, and what it may be written as.

A *memo* is such a place: a holder `M`, a key, the lines that compute what is missing, and what goes on with the result
whether it was found or not. It is found by its shape alone; `memos` says which of them are harmless. The shapes:

    v = M.get(k)  /  if v is None: v = M[k] = …         if k not in M: M[k] = …  /  … M[k] …
    if k in M: return M[k]  /  M[k] = v = …  /  return v    try: v = M[k]  /  except KeyError: v = M[k] = …
    v = M.setdefault(k, …)                              if self.t is None: self.t = …  (a memo without a key)

What is done after a hit and after a miss must be the same lines, up to the name of the result. What only makes room
(`M.popitem()` once `len(M)` is large) does not count: a missing entry is computed again. Nor does `self.hits += 1`, if
`memos` finds that nobody reads it, nor where a lock that is held meanwhile is given back. A table that is put in its
place before it is filled is as one that is put there after, if the lines that fill it cannot fail in between.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from graphbus_core.artifacts.sharing.memo_copies import give_as_found
from graphbus_core.artifacts.sharing.whole_numbers import find_whole
from graphbus_core.syntax import walk_body

_Node = TypeVar("_Node", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_ROOM = frozenset(("popitem", "clear", "pop", "move_to_end"))
_FRESH = frozenset(("dict", "OrderedDict", "set", "WeakValueDictionary"))
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_NONE = ast.dump(ast.Constant(None))
RESULT = "(found)"  # the name that the result is given where it has none
SUNK = "(stored)"  # the same, of what branches of a miss compute
TABLE = "(table)"  # the same, of what is filled in its place


@dataclass(eq=False)
class Memo:
    """`lines` compute what is missing, and end with a return of it; `rest` goes on with it as `result`.

    `key`: the names that are known once the key is, with what each stands for. `free`: other names of functions that
    `lines` ask for. `makes_room`: an entry may be gone again.
    """

    holder: ast.expr
    lines: list[ast.stmt]
    result: str
    rest: list[ast.stmt]
    key: dict[str, ast.expr] = field(default_factory=dict)
    free: set[str] = field(default_factory=set)
    given: list[str] = field(default_factory=list)  # of these, what the function binds: all but its first parameter
    makes_room: bool = False
    is_slot: bool = False  # the holder is the place itself, and there is no key
    named: str = ""  # the parameter `**kwargs`, all of which but its order is part of the key
    locks: list[ast.expr] = field(default_factory=list)  # that must be held where it is looked up
    asides: list[ast.stmt] = field(default_factory=list)  # what a hit or a miss alone counts: nobody may read it
    whole: set[str] = field(default_factory=set)  # names that must stand for whole numbers
    plain: set[str] = field(default_factory=set)  # names that must stand for Python's own
    sizes: list[ast.expr] = field(default_factory=list)  # how many it may hold: the same for all events
    taking: str = ""  # what takes entries away and may fail where there is none
    function: ast.FunctionDef | None = None

    @property
    def dump(self) -> str:
        """What it computes, to be compared."""
        assert self.function is not None
        return "".join(map(ast.dump, [self.function.args, *self.function.body]))


@dataclass
class _Shape:
    """A lookup as it is written, before anything is checked."""

    holder: ast.expr
    key: ast.expr | None
    region: list[ast.stmt]  # from the miss on
    result: str = ""  # the name that a hit is bound to
    found: list[ast.stmt] | None = None  # what a hit goes on with; None: with what comes after the region
    after: list[ast.stmt] = field(default_factory=list)  # both, unless they return before
    is_slot: bool = False
    whole: set[str] = field(default_factory=set)
    locks: list[ast.expr] = field(default_factory=list)


def find_memo(body: Sequence[ast.stmt], index: int, function: Function) -> Memo | None:
    """The memo that begins with this statement of a block of `function`; None where there is none."""
    statement = body[index]
    if isinstance(statement, ast.With):
        if any(item.optional_vars is not None for item in statement.items):
            return None
        memo = find_memo([*body[:index], *statement.body, *body[index + 1 :]], index, function)
        if memo is not None:
            memo.locks += [item.context_expr for item in statement.items]
        return memo
    for read_shape in (_read_get, _read_membership, _read_try, _read_setdefault, _read_slot):
        shape = read_shape(list(body), index)
        if shape is not None:
            _take_locks(shape, statement)
            shape.region = _sink_stores(_spread_setdefault(shape), shape)
            _fill_before(shape)
        if shape is not None and (memo := _complete(shape, list(body), index, function)) is not None:
            return memo
    return None


def find_alias(body: Sequence[ast.stmt], index: int, function: Function) -> list[ast.stmt] | None:
    """What follows `cache = self._cache`, with the one written for the other; None where that is not the same."""
    match body[index]:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() | ast.Subscript() as path) if _is_path(path):
            pass
        case _:
            return None
    following = [*body[index + 1 :]]
    loaded = _list_loaded([path])
    if name in _list_names_outside(function, [*following, body[index]]) or name in loaded:
        return None
    if name in _list_stored(following) or loaded & _list_stored(following) or _changes_path(following, path):
        return None
    names = {ast.dump(ast.Name(name, ast.Load())): _load(path)}
    return [_replace(statement, names) for statement in following]


def _changes_path(statements: Sequence[ast.stmt], path: ast.expr) -> bool:
    steps = {part.attr for part in ast.walk(path) if isinstance(part, ast.Attribute)}
    return any(
        isinstance(part, ast.Attribute) and part.attr in steps and not isinstance(part.ctx, ast.Load)
        for statement in statements
        for part in ast.walk(statement)
    )


def list_room_making(statement: ast.stmt) -> ast.expr | None:
    """The holder that a statement empties, if it does nothing else."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr="clear"), args=[], keywords=[])):
            return holder
    return None


# How a lookup is written


def _read_get(body: list[ast.stmt], index: int) -> _Shape | None:
    """`v = M.get(k)`, and a test of `v`; both in one with a walrus."""
    statement, following = body[index], body[index + 1 :]
    if isinstance(statement, ast.If) and (walrus := _find_walrus(statement.test)) is not None:
        assignment = ast.Assign([ast.Name(walrus.target.id, ast.Store())], walrus.value)
        test = _replace(statement.test, {ast.dump(walrus): ast.Name(walrus.target.id, ast.Load())})
        tested = ast.copy_location(ast.If(test, statement.body, statement.orelse), statement)
        return _read_get([assignment, tested, *following], 0)
    match statement:
        case (
            ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *default], keywords=[]),
            )
            | ast.AnnAssign(
                target=ast.Name(id=name),
                value=ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *default], keywords=[]),
            )
        ) if len(default) <= 1 and following and isinstance(following[0], ast.If):
            return _read_tested(_Shape(holder, key, [], name), following, ast.Name(name, ast.Load()), default)
    return None


def _read_tested(shape: _Shape, following: list[ast.stmt], tested: ast.expr, default: list[ast.expr]) -> _Shape | None:
    branch = following[0]
    assert isinstance(branch, ast.If)
    answer = _read_test(branch.test, tested, default)
    missed, found = (branch.body, branch.orelse) if answer == "missed" else (branch.orelse, branch.body)
    if answer is None:
        return None
    shape.after = following[1:]
    if missed:
        shape.region = missed
        shape.found = found or None
        return shape
    shape.region, shape.found, shape.after = shape.after, found, []
    return shape


def _read_test(test: ast.expr, tested: ast.expr, default: list[ast.expr]) -> str | None:
    """Whether a true test says that it was missed, or found."""
    same = ast.dump(tested)
    missing = ast.dump(default[0]) if default else _NONE
    match test:
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(value))])
        ):
            return "missed" if _is_same(tested, ast.Attribute(owner, value, ast.Load())) else None
        case ast.UnaryOp(op=ast.Not(), operand=operand) if ast.dump(operand) == same and missing == _NONE:
            return "missed"
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]) if ast.dump(left) == same:
            return "missed" if ast.dump(right) == missing else None
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[right]) if ast.dump(left) == same:
            return "found" if ast.dump(right) == missing else None
    return "found" if ast.dump(test) == same and missing == _NONE else None


def _read_membership(body: list[ast.stmt], index: int) -> _Shape | None:
    """`if k not in M`, `if k in M`."""
    match body[index]:
        case ast.If(
            test=ast.Compare(left=key, ops=[ast.In() | ast.NotIn() as op], comparators=[holder]),
            body=first,
            orelse=second,
        ):
            missed, found = (first, second) if isinstance(op, ast.NotIn) else (second, first)
            after = body[index + 1 :]
            if not missed:
                return _Shape(holder, key, after, found=found)
            return _Shape(holder, key, missed, found=found or None, after=after)
    return None


def _read_try(body: list[ast.stmt], index: int) -> _Shape | None:
    """`try: v = M[k]`, `except KeyError:`."""
    match body[index]:
        case ast.Try(
            body=[found],
            handlers=[ast.ExceptHandler(type=ast.Name(id="KeyError"), name=None, body=missed)],
            orelse=orelse,
            finalbody=[],
        ):
            pass
        case _:
            return None
    match found:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=holder, slice=key)):
            pass
        case ast.Return(value=ast.Subscript(value=holder, slice=key)):
            name = ""
        case _:
            return None
    after = body[index + 1 :]
    goes_on: list[ast.stmt] | None = [found] if not name else [*orelse] or None
    if all(isinstance(statement, ast.Pass) for statement in missed):
        return _Shape(holder, key, after, name, found=goes_on) if goes_on is not None else None
    return _Shape(holder, key, missed, name, goes_on, after)


def _read_setdefault(body: list[ast.stmt], index: int) -> _Shape | None:
    """`v = M.setdefault(k, …)`: what it is given is computed every time, and kept once."""
    statement = body[index]
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return) else None
    match value:
        case ast.Call(func=ast.Attribute(value=holder, attr="setdefault"), args=[key, made], keywords=[]):
            store = ast.Assign([ast.Subscript(holder, key, ast.Store())], made)
            goes_on = copy.copy(statement)
            goes_on.value = ast.Subscript(holder, key, ast.Load())  # type: ignore[attr-defined]
            for part in (store, goes_on):
                ast.fix_missing_locations(ast.copy_location(part, statement))
            return _Shape(holder, key, [store], after=[goes_on, *body[index + 1 :]])
    return None


def _read_slot(body: list[ast.stmt], index: int) -> _Shape | None:
    """`if self.table is None: self.table = …`: there is one entry, and no key."""
    statement = body[index]
    if not isinstance(statement, ast.If):
        return None
    for slot in ast.walk(statement.test):
        if isinstance(slot, ast.Call) and len(slot.args) == 2 and isinstance(slot.args[1], ast.Constant):  # `hasattr`
            slot = ast.Attribute(slot.args[0], str(slot.args[1].value), ast.Load())
        if isinstance(slot, ast.Attribute | ast.Name):
            shape = _read_tested(_Shape(slot, None, [], is_slot=True), body[index:], slot, [])
            if shape is not None:
                return shape
    return None


def _take_locks(shape: _Shape, statement: ast.stmt) -> None:
    """The lines that are run with a lock held stand as if without; what is missing may be asked for again there."""
    region: list[ast.stmt] = []
    is_missed = isinstance(statement, ast.If) and shape.region is statement.body
    for line in shape.region:
        if isinstance(line, ast.With) and _mentions([line], shape):
            if any(item.optional_vars is not None for item in line.items):
                return
            shape.locks += [item.context_expr for item in line.items]
            region += line.body
        else:
            region.append(line)
    match region, statement:
        case [ast.If(test=again, body=body, orelse=[])], ast.If(test=test) if ast.dump(again) == ast.dump(test):
            region = body if is_missed else region
    shape.region = region


def _spread_setdefault(shape: _Shape) -> list[ast.stmt]:
    """Where it is missing, `return M.setdefault(k, v)` is `M[k] = v`, `return M[k]`."""
    lines: list[ast.stmt] = []
    for line in shape.region:
        put = _read_setdefault([line], 0)
        if put is None or put.key is None or shape.key is None:
            lines.append(line)
        elif _is_same(put.holder, shape.holder) and _is_same(put.key, shape.key):
            lines += [*put.region, *put.after]
        else:
            lines.append(line)
    return lines


def _sink_stores(lines: list[ast.stmt], shape: _Shape) -> list[ast.stmt]:
    """Where each branch of an `if` ends with a store, it is the same to store what they end with after it."""
    sunk: list[ast.stmt] = []
    for line in lines:
        if isinstance(line, ast.If) and (branched := _sink_branches(line, shape)) is not None:
            store = ast.Assign([_store(_load_place(shape))], ast.Name(SUNK, ast.Load()))
            sunk += [branched, ast.fix_missing_locations(ast.copy_location(store, line))]
        else:
            sunk.append(line)
    return sunk


def _sink_branches(line: ast.If, shape: _Shape) -> ast.If | None:
    branches: list[list[ast.stmt]] = []
    for block in (line.body, line.orelse):
        if block and isinstance(last := block[-1], ast.If) and (inner := _sink_branches(last, shape)) is not None:
            branches.append([*block[:-1], inner])
            continue
        stored = _read_store(block[-1], shape) if block and isinstance(block[-1], ast.Assign) else None
        if stored is None or stored[1]:
            return None
        binding = ast.Assign([ast.Name(SUNK, ast.Store())], stored[0])
        branches.append([*block[:-1], ast.fix_missing_locations(ast.copy_location(binding, block[-1]))])
    return ast.copy_location(ast.If(line.test, *branches), line)


def _fill_before(shape: _Shape) -> None:
    """`T = []`, and lines that fill it: if these cannot fail, it is the same to fill it and to put it there then."""
    if not shape.is_slot or not shape.region or (stored := _read_store(shape.region[0], shape)) is None:
        return
    value, bound = stored
    filling = shape.region[1:]
    if bound or not filling or ast.unparse(value) not in ("[]", "{}"):
        return
    table: dict[str, ast.expr] = {ast.dump(_load(shape.holder)): ast.Name(TABLE, ast.Load())}
    lines = [_replace(statement, table) for statement in filling]
    if (whole := find_whole(lines, TABLE, isinstance(value, ast.Dict))) is None:
        return
    make = ast.Assign([ast.Name(TABLE, ast.Store())], value)
    put = ast.Assign([_store(shape.holder)], ast.Name(TABLE, ast.Load()))
    shape.whole = whole
    shape.region = [ast.fix_missing_locations(ast.copy_location(s, shape.region[0])) for s in (make, *lines, put)]


# What makes it one


def _complete(shape: _Shape, body: list[ast.stmt], index: int, function: Function) -> Memo | None:
    """Both ways go on with the same lines, and the lines in between depend on the key alone."""
    if not _is_path(shape.holder) or (shape.key is not None and not _is_key(shape.key)):
        return None
    if shape.is_slot and isinstance(shape.holder, ast.Name) and shape.holder.id in list_locals(function):
        return None
    parted = _part_region(shape)
    if parted is None:
        return None
    lines, value, tail, makes_room = parted
    words = {_dump_place(shape), *([ast.dump(ast.Name(shape.result, ast.Load()))] if shape.result else [])}
    tail, plain = give_as_found(value, tail, lines, shape.found or [], words)
    if plain & list_locals(function):
        return None
    result = shape.result or (value.id if isinstance(value, ast.Name) and shape.found is None else RESULT)
    if shape.is_slot or not shape.result:
        result = RESULT
    same = [_load_place(shape), *([value] if isinstance(value, ast.Name) else [])]
    if shape.result:
        same.append(ast.Name(shape.result, ast.Load()))
    asides: list[ast.stmt] = []
    joined = _join_ways(shape, tail, same, ast.Name(result, ast.Load()))
    if joined is None:
        asides = [s for s in [*(shape.found or []), *tail] if _is_counter(s)]
        shape.found = [s for s in shape.found if s not in asides] if shape.found is not None else None
        joined = _join_ways(shape, [s for s in tail if s not in asides], same, ast.Name(result, ast.Load()))
    if joined is None:
        return None
    rest, others = joined
    computing = [*lines, ast.copy_location(ast.Return(value), body[index])]
    memo = Memo(
        shape.holder, computing, result, rest, makes_room=makes_room or _has_room_making(shape), is_slot=shape.is_slot
    )
    memo.asides, memo.whole, memo.locks, memo.plain = asides, shape.whole, shape.locks, plain
    ways = [[*(shape.found or []), *shape.after], [*shape.region, *shape.after]]
    if not all(_is_sure(way, shape) for way in ways):
        return None
    memo.taking = "".join(ast.dump(s) for s in dict.fromkeys([*ways[0], *ways[1]]) if _takes(s, shape))
    memo.sizes = [size for s in [*ways[0], *ways[1]] if _takes(s, shape) for size in _list_sizes(s)]
    if not _bind_names(memo, shape, body[:index], function, others):
        return None
    _write_function(memo, function)
    return memo


def _write_function(memo: Memo, function: Function) -> None:
    first = next(iter(list_arguments(function)), "")
    memo.given = sorted(memo.free & list_locals(function) - {first})
    names = [*([first] if first in memo.free else []), *memo.given, *memo.key]
    name = "it" if isinstance(function, ast.Lambda) else function.name
    arguments = ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])
    memo.function = ast.copy_location(ast.FunctionDef(name, arguments, memo.lines, []), memo.lines[0])


def _part_region(shape: _Shape) -> tuple[list[ast.stmt], ast.expr, list[ast.stmt], bool] | None:
    """The lines before the store, what is stored, the lines after it, and whether room is made."""
    for place, statement in enumerate(shape.region):
        stored = _read_store(statement, shape)
        if stored is None:
            continue
        value, bound = stored
        lines = [s for s in shape.region[:place] if not _makes_room(s, shape)]
        if _mentions([*lines, value], shape) or any(map(_jumps, lines)):
            return None
        room = [s for s in shape.region[place + 1 :] if _makes_room(s, shape)]
        tail = [s for s in shape.region[place + 1 :] if not _makes_room(s, shape)]
        if shape.result:
            named = bound == shape.result or (isinstance(value, ast.Name) and value.id == shape.result)
            if tail and _only_binds(tail[0], shape):
                named, tail = not room, tail[1:]
            if not named and (shape.result in _list_loaded(tail) or not _leaves(tail)):
                return None  # a hit is bound to the name, and a miss is not
        if bound and bound != shape.result:
            named_so = ast.Name(RESULT, ast.Load()) if room else _load_place(shape)
            tail = [_replace(part, {ast.dump(ast.Name(bound, ast.Load())): named_so}) for part in tail]
        if room and shape.key is not None and _mentions([*tail, *shape.after], shape):
            return None  # what was put in may be gone by then
        return lines, value, tail, bool(room) or len(lines) < place
    return None


def _read_store(statement: ast.stmt, shape: _Shape) -> tuple[ast.expr, str] | None:
    """What a statement puts under the key, and the name that it binds to it as well."""
    match statement:
        case ast.If(test=test, body=[inner], orelse=[]) if _is_size_test(test, shape):
            return _read_store(inner, shape)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr="add"), args=[key], keywords=[])) if (
            shape.key is not None and _is_same(holder, shape.holder) and _is_same(key, shape.key)
        ):
            return ast.Constant(None), ""
        case ast.Assign(targets=targets, value=value):
            places = [t for t in targets if _is_place(t, shape)]
            names = [t.id for t in targets if isinstance(t, ast.Name)]
            if shape.is_slot and isinstance(shape.holder, ast.Name):
                names = [n for n in names if n != shape.holder.id]
            if len(places) == 1 and len(names) <= 1 and len(names) + 1 == len(targets):
                return value, "".join(names)
        case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_place(target, shape):
            return value, ""
    return None


def _join_ways(
    shape: _Shape, tail: list[ast.stmt], same: list[ast.expr], result: ast.Name
) -> tuple[list[ast.stmt], set[str]] | None:
    """What comes after a hit and after a miss, where it is the same; `same` are other words for the result."""
    found, same = _read_refresh([s for s in shape.found or [] if not _makes_room(s, shape)], shape, same)
    found = [s for s in found if not _only_binds(s, shape)]
    after = [s for s in shape.after if not _makes_room(s, shape)]
    if len(after) < len(shape.after) and _mentions(after, shape):
        return None  # it may be gone by then
    names: dict[str, ast.expr] = {ast.dump(word): result for word in same}
    hit = _until_return([_replace(s, names) for s in [*found, *after]])
    missed = _until_return([_replace(s, names) for s in [*tail, *after]])
    others = [word for word in same if ast.dump(word) != ast.dump(result)]
    if _list_stored([*found, *tail, *shape.after]) & _list_loaded(others):
        return None  # they are other words for something else later on
    if [ast.dump(s) for s in hit] != [ast.dump(s) for s in missed] or any(_mentions([s], shape) for s in hit):
        return None
    return hit, _list_loaded(others)


def _read_refresh(found: list[ast.stmt], shape: _Shape, same: list[ast.expr]) -> tuple[list[ast.stmt], list[ast.expr]]:
    """`v = M.pop(k)`, `M[k] = v`: it stands last then, and `v` is a word for it."""
    match found:
        case [
            ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=holder, attr="pop"), args=[key], keywords=[]),
            ),
            ast.Assign(targets=[target], value=ast.Name(id=again)),
            *others,
        ] if name == again and _is_place(target, shape) and _takes_out(holder, key, shape):
            return others, [*same, ast.Name(name, ast.Load())]
        case [
            ast.Assign(
                targets=[target, ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=holder, attr="pop"), args=[key], keywords=[]),
            ),
            *others,
        ] if _is_place(target, shape) and _takes_out(holder, key, shape):
            return others, [*same, ast.Name(name, ast.Load())]
    return found, same


def _takes_out(holder: ast.expr, key: ast.expr, shape: _Shape) -> bool:
    return shape.key is not None and _is_same(holder, shape.holder) and _is_same(key, shape.key)


def _only_binds(statement: ast.stmt, shape: _Shape) -> bool:
    """`v = M[k]` where it was found, with `v` the name of the result."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name == shape.result and ast.dump(value) == _dump_place(shape)
    return False


def _until_return(statements: list[ast.stmt]) -> list[ast.stmt]:
    for place, statement in enumerate(statements):
        if isinstance(statement, _LEAVING):
            return statements[: place + 1]
    return statements


def _leaves(statements: list[ast.stmt]) -> bool:
    return any(isinstance(statement, _LEAVING) for statement in statements)


# Parts of source


def _find_walrus(test: ast.expr) -> ast.NamedExpr | None:
    inner = test.left if isinstance(test, ast.Compare) else test.operand if isinstance(test, ast.UnaryOp) else test
    return inner if isinstance(inner, ast.NamedExpr) else None


def _is_path(node: ast.expr) -> bool:
    """A name, or an attribute of one, however deep; an item under a constant."""
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=owner) | ast.Subscript(value=owner, slice=ast.Constant()):
            return _is_path(owner)
    return False


def _is_key(node: ast.expr) -> bool:
    """Asked for twice, it is the same: names, tuples, and what stands in them."""
    match node:
        case ast.Constant():
            return True
        case ast.Tuple(elts=parts):
            return all(map(_is_key, parts))
    return _is_path(node) or _find_spread(node) is not None


def _find_spread(node: ast.expr) -> ast.Name | None:
    """The dict that `frozenset(kwargs.items())` and the like tell all of but its order."""
    match node:
        case ast.Call(func=ast.Name(id="tuple" | "frozenset" | "sorted"), args=[inner], keywords=[]):
            return _find_spread(inner)
        case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="items"), args=[], keywords=[]):
            return name
    return None


def _is_same(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(_load(left)) == ast.dump(_load(right))


def _load(node: ast.expr) -> ast.expr:
    if isinstance(getattr(node, "ctx", None), ast.Store):
        node = copy.copy(node)
        node.ctx = ast.Load()  # type: ignore[attr-defined]
    return node


def _store(node: ast.expr) -> ast.expr:
    node = copy.copy(node)
    node.ctx = ast.Store()  # type: ignore[attr-defined]
    return node


def _load_place(shape: _Shape) -> ast.expr:
    if shape.is_slot:
        return _load(shape.holder)
    assert shape.key is not None
    return ast.Subscript(shape.holder, shape.key, ast.Load())


def _dump_place(shape: _Shape) -> str:
    return ast.dump(_load_place(shape))


def _is_place(target: ast.expr, shape: _Shape) -> bool:
    return ast.dump(_load(target)) == _dump_place(shape)


def _mentions(statements: Iterable[ast.AST], shape: _Shape) -> bool:
    """Whether the holder is asked for in any of these."""
    wanted = ast.dump(_load(shape.holder))
    return any(
        isinstance(node, ast.expr) and ast.dump(_load(node)) == wanted
        for statement in statements
        for node in ast.walk(statement)
        if type(node) is type(shape.holder)
    )


def _has_room_making(shape: _Shape) -> bool:
    return any(_makes_room(s, shape) for s in [*(shape.found or []), *shape.after])


def _makes_room(statement: ast.stmt, shape: _Shape) -> bool:
    """Whether it takes entries away, or orders them, and does nothing else."""
    if shape.is_slot:
        return False
    match statement:
        case ast.If(test=test, body=body, orelse=[]) | ast.While(test=test, body=body, orelse=[]):
            return _is_size_test(test, shape) and all(_makes_room(s, shape) for s in body)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr=name), args=args, keywords=keywords)):
            given = [*args, *(k.value for k in keywords)]
            return name in _ROOM and _is_same(holder, shape.holder) and all(_is_about(a, shape) for a in given)
        case ast.Delete(targets=[ast.Subscript(value=holder, slice=key)]):
            return _is_same(holder, shape.holder) and _is_about(key, shape)
    return False


def _is_sure(way: Sequence[ast.stmt], shape: _Shape) -> bool:
    """Whether it does not depend on what else is kept whether making room fails: one entry at most is taken away at a
    time, and that one is the first, the last or the one that is looked up."""
    is_taken = False
    for statement in way:
        if not _makes_room(statement, shape):
            is_taken = is_taken and not any(_is_place(p, shape) for p in ast.walk(statement) if isinstance(p, ast.expr))
            continue
        parts = statement.body if isinstance(statement, ast.If | ast.While) else [statement]
        failing = [part for part in parts if _may_fail(part)]
        if any(
            not _takes_any(part, shape) and (part is not statement or not _is_of_key(part, shape)) for part in failing
        ):
            return False
        if len(failing) > 1 or (failing and is_taken):
            return False
        is_taken = is_taken or _takes(statement, shape)
    return True


def _takes(statement: ast.stmt, shape: _Shape) -> bool:
    """Whether it takes an entry away that must be there."""
    if not _makes_room(statement, shape):
        return False
    parts = statement.body if isinstance(statement, ast.If | ast.While) else [statement]
    return any(_may_fail(part) and "move_to_end" not in ast.dump(part) for part in parts)


def _list_sizes(statement: ast.stmt) -> list[ast.expr]:
    """What the number of entries is held against."""
    match statement:
        case ast.If(test=ast.Compare(comparators=sizes)) | ast.While(test=ast.Compare(comparators=sizes)):
            return sizes
    return []


def _may_fail(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="clear"))):
            return False
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="pop"), args=[key, _])):
            return isinstance(key, ast.Call)
    return True


def _takes_any(statement: ast.stmt, shape: _Shape) -> bool:
    """Whether it takes the first or the last entry away."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="popitem"))):
            return True
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(attr="pop"), args=[key, *_]))
            | ast.Delete(targets=[ast.Subscript(slice=key)])
        ):
            return isinstance(key, ast.Call) and _is_about(key, shape)
    return False


def _is_of_key(statement: ast.stmt, shape: _Shape) -> bool:
    """Whether the entry that it takes away or moves is the one that is looked up."""
    match statement:
        case ast.Expr(value=ast.Call(args=[key, *_])) | ast.Delete(targets=[ast.Subscript(slice=key)]):
            return shape.key is not None and _is_same(key, shape.key)
    return False


def _is_counter(statement: ast.stmt) -> bool:
    """`self.hits += 1`."""
    match statement:
        case ast.AugAssign(target=ast.Attribute() | ast.Name(), op=ast.Add() | ast.Sub(), value=ast.Constant(value=n)):
            return type(n) is int
    return False


def _is_about(node: ast.expr, shape: _Shape) -> bool:
    """A constant, the key, or the oldest entry."""
    match node:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Name(id="next"), args=[ast.Call(func=ast.Name(id="iter"), args=[holder])]):
            return _is_same(holder, shape.holder)
    return shape.key is not None and _is_same(node, shape.key)


def _is_size_test(test: ast.expr, shape: _Shape) -> bool:
    """`len(M) > 100`, with a number that does not come from the event."""
    match test:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[holder], keywords=[]), ops=[_], comparators=[bound]
        ):
            return _is_same(holder, shape.holder) and _is_path_or_constant(bound)
    return False


def _is_path_or_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or _is_path(node)


def _jumps(statement: ast.stmt) -> bool:
    """Whether it may leave the lines other than by an error or a return, or let something else run in between."""
    odd = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.AsyncFor, ast.AsyncWith)
    return any(isinstance(part, odd) for part in ast.walk(statement)) or _leaves_loop(statement)


def _leaves_loop(node: ast.AST) -> bool:
    if isinstance(node, ast.Break | ast.Continue):
        return True
    if isinstance(node, ast.For | ast.While):
        return any(map(_leaves_loop, node.orelse))
    return not isinstance(node, _DEFINING) and any(map(_leaves_loop, ast.iter_child_nodes(node)))


class _Replacement(ast.NodeTransformer):
    def __init__(self, names: dict[str, ast.expr]) -> None:
        self._names = names

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and (found := self._names.get(ast.dump(node))) is not None:
            return ast.copy_location(copy.copy(found), node)
        return self.generic_visit(node)


def _replace(node: _Node, names: dict[str, ast.expr]) -> _Node:
    """A copy in which these stand for those."""
    replaced: _Node = _Replacement(names).visit(copy.deepcopy(node))  # type: ignore[assignment]
    return replaced


# What is known once the key is


def _bind_names(memo: Memo, shape: _Shape, before: list[ast.stmt], function: Function, words: set[str]) -> bool:
    """Find what the lines ask for, and that nothing of them is seen elsewhere."""
    own = _list_stored(memo.lines)
    places = [part for part in (shape.key, shape.holder) if part is not None]
    if own & _list_loaded(places) or (own - {shape.result}) & _list_names_outside(
        function, [*shape.region, *(shape.found or [])] if words & own else shape.region
    ):
        return False
    if shape.result in _list_loaded(memo.lines) and shape.result not in own:
        return False
    memo.key = _list_known(shape.key, before) if shape.key is not None else {}
    arguments = function.args.kwarg
    memo.named = arguments.arg if arguments is not None and arguments.arg in memo.key else ""
    others = [name for key in _list_keys(shape.key, before) if (name := _find_spread(key)) and name.id != memo.named]
    if others or not _only_spreads(memo.lines, memo.named):
        return False
    if own & memo.key.keys():
        return False
    local = list_locals(function)
    derived = _list_derived(before, memo.key, local)
    while elsewhere := _list_stored(derived) & _list_names_outside(function, [*shape.region, *derived]):
        derived = [s for s in derived if _list_stored([s]).isdisjoint(elsewhere)]  # they may be changed in the lines
    derived = _list_derived(derived, memo.key, local)
    names = own | _list_stored(derived) | memo.key.keys()
    derived = [s for s in derived if _list_stored([s]).isdisjoint(own)]
    parameters: dict[str, ast.expr] = {}
    for word, part in memo.key.items():
        parameters[ast.dump(part)] = ast.Name(word, ast.Load())
    memo.lines = [_replace(line, parameters) for line in [*derived, *memo.lines]]
    memo.free = _list_loaded(memo.lines) - names
    return True


def list_locals(function: Function) -> set[str]:
    """Names that a function binds for itself."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    elsewhere = {n for part in walk_body(body) if isinstance(part, ast.Global | ast.Nonlocal) for n in part.names}
    return (_list_stored(body, nested=False) | set(list_arguments(function))) - elsewhere


def _list_known(key: ast.expr, before: list[ast.stmt]) -> dict[str, ast.expr]:
    """Names for all that is known once the key is, as it was computed just before."""
    known: dict[str, ast.expr] = {}
    for part in _list_parts(key):
        known[part.id if isinstance(part, ast.Name) else f"(key {len(known)})"] = part
    changed: set[str] = set()
    for statement in reversed(before):  # `key = (a, b)`: who knows the key knows both
        stored = _list_stored([statement])
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple() as value) if (
                name in known and name not in changed and _is_key(value)
            ):
                parts = [p for p in _list_parts(value) if isinstance(p, ast.Name) and p.id not in changed | stored]
                known.update((p.id, p) for p in parts if isinstance(p, ast.Name))
        changed |= stored
    return known


def _list_derived(before: list[ast.stmt], known: Iterable[str], local: set[str]) -> list[ast.stmt]:
    """Lines just before that compute something of what is known: `words = key.split()`. They are computed again."""
    names = set(known)
    derived: list[ast.stmt] = []
    for place, statement in enumerate(before):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                name not in names
                and not _jumps(statement)
                and _list_loaded([value]) & local <= names
                and _list_loaded([value]).isdisjoint(_list_stored(before[place:]))
                and name not in _list_stored(before[place + 1 :])
            ):
                names.add(name)
                derived.append(statement)
    return derived


def _list_keys(key: ast.expr | None, before: list[ast.stmt]) -> list[ast.expr]:
    """The key, its parts, and what it was computed from just before."""
    listed = [key] if key is not None else []
    listed += [s.value for s in before if isinstance(s, ast.Assign) and isinstance(s.value, ast.Tuple)]
    return [part for one in listed for part in ast.walk(one) if isinstance(part, ast.expr)]


def _only_spreads(lines: Sequence[ast.AST], name: str) -> bool:
    """Whether the dict is handed on as `**name` alone, and no line sees its order."""
    spread = {
        id(part.value)
        for line in lines
        for part in ast.walk(line)
        if isinstance(part, ast.keyword) and part.arg is None
    }
    return all(
        id(part) in spread
        for line in lines
        for part in ast.walk(line)
        if isinstance(part, ast.Name) and part.id == name
    )


def _list_parts(key: ast.expr) -> Iterator[ast.expr]:
    if isinstance(key, ast.Tuple):
        for part in key.elts:
            yield from _list_parts(part)
    elif (name := _find_spread(key)) is not None:
        yield name
    elif not isinstance(key, ast.Constant):
        yield key


def _list_stored(statements: Iterable[ast.AST], nested: bool = True) -> set[str]:
    """Names that these bind; `nested`: those that functions in them bind for themselves, too."""
    stored: set[str] = set()
    for part in _walk(statements, nested):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                stored.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                stored.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                stored.add(name)
            case ast.MatchMapping(rest=str(name)):
                stored.add(name)
            case ast.alias(name=name, asname=other):
                stored.add(other or name.partition(".")[0])
    return stored


def _list_loaded(statements: Iterable[ast.AST]) -> set[str]:
    loaded = set()
    for part in (part for statement in statements for part in ast.walk(statement)):
        match part:
            case ast.Name(id=name, ctx=ast.Load()) | ast.AugAssign(target=ast.Name(id=name)):
                loaded.add(name)
    return loaded


def _walk(statements: Iterable[ast.AST], nested: bool) -> Iterator[ast.AST]:
    """All parts, except the names of comprehensions, which keep them to themselves."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.comprehension):
            waiting += [node.iter, *node.ifs]
        elif not isinstance(node, ast.Lambda) and (nested or not isinstance(node, _DEFINING)):
            waiting += ast.iter_child_nodes(node)


def _list_names_outside(function: Function, region: Sequence[ast.stmt]) -> set[str]:
    """Names that `function` asks for elsewhere than in these statements (or in those that they are a copy of)."""
    everywhere = Counter(part.id for part in ast.walk(function) if isinstance(part, ast.Name))
    inside = Counter(part.id for statement in region for part in ast.walk(statement) if isinstance(part, ast.Name))
    return {name for name, count in everywhere.items() if count > inside[name]}


def list_arguments(function: Function) -> list[str]:
    """The names of its parameters."""
    args = function.args
    listed = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return [a.arg for a in listed] + [a.arg for a in (args.vararg, args.kwarg) if a is not None]


def is_fresh(value: ast.expr | None) -> bool:
    """Whether it is a container that is made here, and empty."""
    match value:
        case ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in _FRESH
        case ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]):
            return name in _FRESH
    return False
