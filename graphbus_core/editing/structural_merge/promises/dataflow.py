"""Every definition that a side made for a use is still what that use sees: nobody overwrites what the other set.

Reaching definitions, function by function: an edge says that the value which this statement gives to this name (or
`self.x`, or `d["k"]`) is what that statement reads. What outlives the function (attributes, keys, names of a module or
class) is read by its end. Statements of a side and of the merged text are brought together by what they say.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from graphbus_core.editing.structural_merge.pieces import DEFINITIONS
from graphbus_core.editing.structural_merge.promises.scopes import Promise, Scope, Versions, read_once

END = -1  # the unit that reads whatever outlives the scope
START = -2  # the unit that gives the parameters
MAX_PASSES = 4  # of a loop: a definition needs one to come round
LIKE = 0.7  # the share of words that two statements have in common, of which one became the other
_WORD = re.compile(r"\w+")

_Edge = tuple[int, str, int]
_Reaching = dict[str, frozenset[int]]


@dataclass(frozen=True, eq=False)
class Unit:
    """A simple statement, or the header of one that has a block."""

    says: str
    line: int
    gives: frozenset[str]
    reads: frozenset[str]


@dataclass(eq=False)
class Flow:
    """The units of a scope in the order of the text, and which reads the value of which."""

    units: list[Unit] = field(default_factory=list)
    edges: set[_Edge] = field(default_factory=set)


def check_flows(changed: Sequence[Versions]) -> list[Promise]:
    """The values that a side gave to a use, and that the merged text overwrites on the way."""
    broken: list[Promise] = []
    for versions in changed:
        if versions.merged is None:
            continue
        before = read_flow(versions.base) if versions.base else Flow()
        now = read_flow(versions.merged)
        for side in (versions.ours, versions.theirs):
            if side is not None:
                broken += _lost(versions.name, before, read_flow(side), now)
    return list(dict.fromkeys(broken))


def _lost(name: str, old: Flow, side: Flow, now: Flow) -> Iterator[Promise]:
    """The edges that a side added, whose ends are both still there, and that do not meet any more."""
    before, after = pair_units(side, old), pair_units(side, now)
    known = {(before.get(d, d), v, before.get(u, u)) for d, v, u in side.edges} & old.edges
    for d, variable, u in sorted(side.edges):
        there = (before.get(d), variable, before.get(u))
        if there in known and None not in there:
            continue
        giver, reader = after.get(d), after.get(u)
        if giver is None or reader is None or (giver, variable, reader) in now.edges:
            continue
        if reader != END and variable not in now.units[reader].reads:
            continue  # the other side reads something else there now: an edit, judged as one
        if giver >= 0 and variable not in now.units[giver].gives:
            continue
        line = now.units[reader].line if reader >= 0 else now.units[giver].line if giver >= 0 else 0
        yield Promise("flow", name or "module", f"{variable} is overwritten before it is read", line)


def pair_units(some: Flow, others: Flow) -> dict[int, int]:
    """Unit of the one -> unit of the other: what says the same, and between those what says nearly the same."""
    pairs = {START: START, END: END}
    left, right = [u.says for u in some.units], [u.says for u in others.units]
    a = b = 0
    for block in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        pairs.update(_near(left, range(a, block.a), right, range(b, block.b)))
        pairs.update((block.a + i, block.b + i) for i in range(block.size))
        a, b = block.a + block.size, block.b + block.size
    placed = set(pairs.values())
    spare = {says: i for i, says in enumerate(right) if i not in placed}
    for i, says in enumerate(left):  # what stands elsewhere now
        if i not in pairs and says in spare:
            pairs[i] = spare.pop(says)
    return pairs


def _near(left: Sequence[str], some: range, right: Sequence[str], others: range) -> dict[int, int]:
    pairs, start = {}, others.start
    words = {j: Counter(_WORD.findall(right[j])) for j in others}
    for i in some:
        own = Counter(_WORD.findall(left[i]))
        scored = [(_likeness(own, words[j]), -j) for j in range(start, others.stop)]
        best = max(scored, default=(0.0, 0))
        if best[0] >= LIKE:
            pairs[i] = -best[1]
            start = -best[1] + 1
    return pairs


def _likeness(a: Counter[str], b: Counter[str]) -> float:
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 1.0


@read_once
def read_flow(scope: Scope) -> Flow:
    """The flow of one scope. What closures in it read counts where they are defined."""
    reader = _Reader(isinstance(scope.node, ast.Module | ast.ClassDef))
    args = getattr(scope.node, "args", None)
    start: _Reaching = {}
    if isinstance(args, ast.arguments):
        start = {a.arg: frozenset([START]) for a in ast.walk(args) if isinstance(a, ast.arg)}
    end = reader.block(scope.body, start)
    reader.finish([*([end] if end is not None else []), *reader.returned])
    return reader.flow


def variable_of(node: ast.AST) -> str:
    """`x`, `self.x`, `d['k']`: what can be given a value and read again; nothing for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            head = variable_of(value)
            return f"{head}.{attr}" if head else ""
        case ast.Subscript(value=value, slice=ast.Constant(value=key)):
            head = variable_of(value)
            return f"{head}[{key!r}]" if head else ""
    return ""


class _Reader:
    """Walks a block with what reaches it, and notes who reads what."""

    def __init__(self, keeps_names: bool) -> None:
        self.keeps_names = keeps_names
        self.flow = Flow()
        self.places: dict[int, int] = {}
        self.returned: list[_Reaching] = []
        self.leaving: list[list[_Reaching]] = []  # of each loop: what reaches its end by `break` and `continue`
        self.raising: list[list[_Reaching]] = []  # of each `try`: what reaches its handlers

    def finish(self, ends: Iterable[_Reaching]) -> None:
        for reaching in ends:
            for name, givers in reaching.items():
                if self.keeps_names or "." in name or "[" in name:
                    self.flow.edges.update((g, name, END) for g in givers if g >= 0)

    def block(self, body: Sequence[ast.stmt], reaching: _Reaching | None) -> _Reaching | None:
        for statement in body:
            if reaching is None:
                reaching = {}  # never reached: its own flow is still read
            reaching = self.statement(statement, reaching)
        return reaching

    def unit(self, node: ast.AST, parts: Sequence[ast.AST], reaching: _Reaching) -> _Reaching:
        """Note a unit; gives what reaches the place behind it."""
        place = self.places.get(id(node))
        if place is None:
            place = self.places[id(node)] = len(self.flow.units)
            self.flow.units.append(_unit(node, parts))
        unit = self.flow.units[place]
        for name in unit.reads:
            self.flow.edges.update((giver, name, place) for giver in reaching.get(name, ()))
        after = reaching
        if unit.gives:
            after = {k: v for k, v in reaching.items() if not _is_part(k, unit.gives)}
            after.update(dict.fromkeys(unit.gives, frozenset([place])))
        if self.raising:
            self.raising[-1] += [reaching, after]
        return after

    def statement(self, node: ast.stmt, reaching: _Reaching) -> _Reaching | None:
        match node:
            case ast.If():
                after = self.unit(node, [node.test], reaching)
                return _join([self.block(node.body, after), self.block(node.orelse, after)])
            case ast.While():
                return self._loop(node, [node.test], reaching)
            case ast.For() | ast.AsyncFor():
                return self._loop(node, [node.target, node.iter], reaching)
            case ast.With() | ast.AsyncWith():
                return self.block(node.body, self.unit(node, list(node.items), reaching))
            case ast.Try() | ast.TryStar():
                return self._try(node, reaching)
            case ast.Match():
                after = self.unit(node, [node.subject], reaching)
                ends = [self.block(c.body, self.unit(c, [c.pattern, *([c.guard] if c.guard else [])], after))
                        for c in node.cases]  # fmt: skip
                return _join([after, *ends])
        after = self.unit(node, [node], reaching)
        if isinstance(node, ast.Return | ast.Raise):
            (self.returned if isinstance(node, ast.Return) else []).append(after)
            return None
        if isinstance(node, ast.Break | ast.Continue) and self.leaving:
            self.leaving[-1].append(after)
            return None
        return after

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, parts: list[ast.AST], reaching: _Reaching) -> _Reaching:
        entering = reaching
        self.leaving.append([])
        for _ in range(MAX_PASSES):
            head = self.unit(node, parts, entering)
            again = _join([reaching, self.block(node.body, head), *self.leaving[-1]]) or {}
            if again == entering:
                break
            entering = again
        left = self.leaving.pop()
        head = self.unit(node, parts, entering)
        return _join([self.block(node.orelse, head), *left, head]) or {}

    def _try(self, node: ast.Try | ast.TryStar, reaching: _Reaching) -> _Reaching | None:
        self.raising.append([reaching])
        body = self.block(node.body, reaching)
        raised = _join(self.raising.pop()) or {}
        if self.raising:
            self.raising[-1].append(raised)
        ends = [self.block(node.orelse, body) if body is not None else None]
        for handler in node.handlers:
            caught = self.unit(handler, [handler.type] if handler.type else [], raised)
            ends.append(self.block(handler.body, caught))
        end = _join(ends)
        if node.finalbody:
            last = self.block(node.finalbody, _join([end, raised]))
            return last if end is not None else None
        return end


def _unit(node: ast.AST, parts: Sequence[ast.AST]) -> Unit:
    gives, reads = set(), set()
    for part in parts:
        for inner in _inside(part):
            variable = variable_of(inner)
            context = getattr(inner, "ctx", None)
            if variable and isinstance(context, ast.Store):
                gives.add(variable)
            elif variable and isinstance(context, ast.Load):
                reads.add(variable)
            if isinstance(inner, ast.AugAssign):
                reads.add(variable_of(inner.target))
            if isinstance(inner, ast.alias):
                gives.add(inner.asname or inner.name.split(".")[0])
            if isinstance(inner, DEFINITIONS):
                gives.add(inner.name)
            if isinstance(inner, ast.MatchAs | ast.MatchStar) and inner.name:
                gives.add(inner.name)
    if isinstance(node, ast.ExceptHandler) and node.name:
        gives.add(node.name)
    says = type(node).__name__ + "".join(ast.dump(p) for p in parts)
    if isinstance(node, DEFINITIONS):
        says = f"{type(node).__name__} {node.name}"
    return Unit(says, getattr(node, "lineno", 0), frozenset(gives), frozenset(reads - {""}))


def _inside(part: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a part; of a definition, what it reads from around it, and never what it gives inside."""
    if not isinstance(part, DEFINITIONS):
        yield from ast.walk(part)
        return
    yield part
    own = {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= {a.arg for a in ast.walk(part) if isinstance(a, ast.arg)}
    for node in ast.walk(part):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in own:
            yield node


def _is_part(name: str, given: frozenset[str]) -> bool:
    """Whether a variable is, or belongs to, one that was given anew: `c.x` goes with `c`."""
    return name in given or any(name.startswith((f"{g}.", f"{g}[")) for g in given)


def _join(ways: Iterable[_Reaching | None]) -> _Reaching | None:
    """What reaches a place over several ways; None where none leads there."""
    some = [w for w in ways if w is not None]
    if not some:
        return None
    out: _Reaching = dict(some[0])
    for way in some[1:]:
        for name, givers in way.items():
            out[name] = out.get(name, frozenset()) | givers
    return out
