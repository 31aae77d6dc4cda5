"""Duplicates and overwrites, planted in one branch of a pair, that only show beside the other branch.

A planted text is not yet a fault: a merge may put the two copies together, or the overwriting line where it does no
harm. So each is looked for in what the merge makes *without* promises, by a reading of its own: two statements that
are equal up to the names of their locals; or, in one block, a value given, then overwritten, then read. Only what has
effect there is counted, and it is refused when no candidate that holds the promises has it.
"""

from __future__ import annotations

import ast
import random
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from graphbus_core.commit.landing.files import merge_file
from graphbus_core.editing.structural_merge import merge_sources
from graphbus_core.model.edit_outcome import Refusal

Function = ast.FunctionDef
MAX_TRIES = 400  # places in one file, at which a fault may have effect
MAX_EACH = 4  # faults of one kind in one file of a pair


@dataclass(frozen=True)
class Fault:
    """A text with something planted, and what to look for: a function, and a block or a variable in it."""

    kind: str
    theirs: bytes
    function: str
    sought: str
    alone: tuple[bytes, bytes, bytes]  # the function by itself: base, ours, and theirs with the fault

    def has_effect(self, text: bytes) -> bool:
        """Whether the fault is one in a merged text, of the file or of the function alone."""
        functions = functions_of(ast.parse(text))
        function = functions.get(self.function) or functions.get(self.function.rpartition(".")[2])
        if function is None:
            return False
        if self.kind == "duplicate":
            return sum(spell(s) == self.sought for s in ast.walk(function) if isinstance(s, ast.stmt)) > 1
        return any(is_overwritten(block, self.sought) for block in blocks_of(function))


def print_planted(sources: Iterable[tuple[str, str, bytes, bytes, bytes]], count: int, chance: random.Random) -> None:
    """Plant until so many have effect, half of each kind."""
    planted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for pair, path, base, ours, theirs in sources:
        if sum(planted.values()) >= count:
            break
        open_kinds = [kind for kind in ("duplicate", "overwrite") if planted[kind] < count // 2]
        faults = [f for kind in open_kinds for f in find_faults(kind, base, ours, theirs, chance)]
        if not faults or not merge_file(path, base, ours, theirs).candidates:
            continue  # without the fault it must be good
        for fault in faults:
            if planted[fault.kind] >= count // 2:
                continue
            planted[fault.kind] += 1
            landed = [c for c in merge_file(path, base, ours, fault.theirs).sound if fault.has_effect(c.data)]
            refused[fault.kind] += not landed
            end = "LANDED" if landed else "refused"
            print(f"{end}: {fault.kind} in {pair} {path}, {fault.function}: {fault.sought[:200]!r}", flush=True)
    for kind in planted:
        print(f"{kind}: {refused[kind]} of {planted[kind]} refused by the promises, nothing was run")


def find_faults(kind: str, base: bytes, ours: bytes, theirs: bytes, chance: random.Random) -> list[Fault]:
    """Faults that have effect in the merge of the whole file, each of another statement, in the order of a seed."""
    tries = islice(plant(kind, base, ours, theirs, chance), MAX_TRIES)
    quick = (f for f in tries if is_real(f, *f.alone))
    found: dict[tuple[str, str], Fault] = {}
    for fault in quick:
        if (fault.function, fault.sought) not in found and is_real(fault, base, ours, fault.theirs):
            found[fault.function, fault.sought] = fault
            if len(found) == MAX_EACH:
                break
    return list(found.values())


def is_real(fault: Fault, base: bytes, ours: bytes, theirs: bytes) -> bool:
    """Whether the merge without promises brings a text in which the fault has effect, and theirs alone does not."""
    try:
        candidates = merge_sources(base, ours, theirs).candidates
    except Refusal:
        return False
    return not fault.has_effect(theirs) and any(fault.has_effect(c.data) for c in candidates)


def plant(kind: str, base: bytes, ours: bytes, theirs: bytes, chance: random.Random) -> Iterator[Fault]:
    """Their text with a fault in it, at every place where one can be planted, in the order of a seed."""
    old, mine, other = (functions_of(ast.parse(text)) for text in (base, ours, theirs))
    names = [name for name in mine if name in old and name in other]
    chance.shuffle(names)
    for name in names:
        before = {ast.dump(s) for s in ast.walk(old[name]) if isinstance(s, ast.stmt)}
        added = [s for s in mine[name].body if ast.dump(s) not in before]
        places = list(range(len(other[name].body)))
        chance.shuffle(places)
        cut = [cut_function(text, tree[name]) for text, tree in ((base, old), (ours, mine), (theirs, other))]
        if any(part is None for part in cut):
            continue
        for statement in added:
            for code, sought in spell_faults(kind, statement, before, old[name], other[name]):
                for i in places:
                    whole = insert(theirs, other[name], i, code)
                    alone = insert(cut[2], functions_of(ast.parse(cut[2]))[other[name].name], i, code)
                    yield Fault(kind, whole, name, sought, (cut[0], cut[1], alone))


def spell_faults(
    kind: str, statement: ast.stmt, before: set[str], base: Function, theirs: Function
) -> Iterator[tuple[str, str]]:
    """What is planted for a statement of ours, and what is looked for then.

    Overwritten is what ours alone knows of, or an old value that ours newly reads, behind the last of its old readers.
    """
    if kind == "duplicate":
        if has_work(statement, before):
            yield ast.unparse(rename_locals(statement)), spell(statement)
        return
    known, given = names_of(theirs, ast.Load, ast.Store), names_of(base, ast.Store)
    for variable in names_of(statement, ast.Store):
        if variable not in known:
            yield f"{variable} = None", variable
    for variable in names_of(statement, ast.Load):
        if variable in given:
            yield f"{variable} = None", variable


def cut_function(text: bytes, function: Function) -> bytes | None:
    """A function by itself, at the left edge; None where a text in it stands further to the left."""
    first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
    lines = text.decode().splitlines(keepends=True)[first - 1 : function.end_lineno]
    part = textwrap.dedent("".join(lines)).encode()
    try:
        return part if isinstance(ast.parse(part).body[0], Function) else None
    except SyntaxError:
        return None


def has_work(statement: ast.stmt, before: set[str]) -> bool:
    """Whether a statement does something, has locals by which two hands would differ, and is new throughout."""
    inner = [n for n in ast.walk(statement) if isinstance(n, ast.stmt)]
    calls = any(isinstance(n, ast.Call) for n in ast.walk(statement))
    is_new = all(ast.dump(s) not in before for s in inner)
    return calls and is_new and bool(names_of(statement, ast.Store)) and len(inner) > 1


def names_of(node: ast.AST, *contexts: type[ast.expr_context]) -> list[str]:
    """The names that a node reads or gives, in the order of the text."""
    return list(dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, contexts)))


def spell(statement: ast.stmt) -> str:
    """A statement with its own names by number."""
    own = {name: f"_{i}" for i, name in enumerate(names_of(statement, ast.Store))}
    copy = ast.parse(ast.unparse(statement)).body[0]
    for node in ast.walk(copy):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = own[node.id]
    return ast.unparse(copy)


def rename_locals(block: ast.stmt) -> ast.stmt:
    """The same block under other names of its own, as another hand would write it."""
    copy = ast.parse(ast.unparse(block)).body[0]
    own = set(names_of(copy, ast.Store))
    for node in ast.walk(copy):
        if isinstance(node, ast.Name) and node.id in own:
            node.id += "_too"
    return copy


def blocks_of(function: Function) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list):
                yield getattr(node, field)


def is_overwritten(block: list[ast.stmt], variable: str) -> bool:
    """Given by a statement of the block, set to None by a later one, read by one after that before it is given anew."""
    given = overwritten = False
    for statement in block:
        if ast.unparse(statement) == f"{variable} = None":
            overwritten = given
        elif variable in names_of(statement, ast.Store):
            given, overwritten = True, False  # also where it is read behind that
        elif overwritten and variable in names_of(statement, ast.Load):
            return True
    return False


def functions_of(tree: ast.Module) -> dict[str, Function]:
    """The functions of a module and the methods of its classes, by name."""
    functions = {n.name: n for n in tree.body if isinstance(n, Function)}
    for owner in tree.body:
        if isinstance(owner, ast.ClassDef):
            functions |= {f"{owner.name}.{n.name}": n for n in owner.body if isinstance(n, Function)}
    return functions


def insert(text: bytes, function: Function, index: int, code: str) -> bytes:
    """Put code before the statement of an index in a function's body."""
    statement = function.body[index]
    lines = text.decode().splitlines(keepends=True)
    indent = " " * statement.col_offset
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    lines.insert(first - 1, "".join(f"{indent}{line}\n" for line in code.splitlines()))
    return "".join(lines).encode()
