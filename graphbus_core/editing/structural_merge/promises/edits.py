"""Every edit of each side is in the merged text: nothing that one side said is lost, nothing stands more often.

Each tree is read as edges (which node stands in which place of which node, in which definition), counted. What a side
did is the difference of its counts to the base's. The merged counts must differ by the sum of both, or by less only as
far as both sides made the same edit. No knowledge of how the merge was made goes in, so a fault of it shows.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from graphbus_core.editing.structural_merge.pieces import DEFINITIONS, comments_between
from graphbus_core.editing.structural_merge.promises.scopes import (
    Promise,
    Reading,
    Scope,
    Versions,
    in_scope,
    read_once,
)

_Edge = tuple[str, str, str, str]


def check_edits(changed: Sequence[Versions], readings: Sequence[Reading]) -> list[Promise]:
    """The edits of a side that the merged text does not have, or has too often."""
    four: list[Counter[_Edge]] = [Counter() for _ in range(4)]
    common: Counter[_Edge] = Counter()  # what both sides did alike: it may count once, whatever else either did
    for versions in changed:
        common.update(_count_common(versions))
        for counts, scope in zip(four, (versions.base, versions.ours, versions.theirs, versions.merged), strict=True):
            if scope is not None:
                counts.update(_count_edges(scope))
    for counts, comments in zip(four, _comments(readings), strict=True):
        counts.update(("", "", "comment", comment) for comment in comments)
    old, left, right, now = four
    broken = []
    for edge in sorted({*old, *left, *right, *now}):
        mine, other = left[edge] - old[edge], right[edge] - old[edge]
        low, high = _allowed(mine, other, old[edge])
        if common[edge]:
            shared = common[edge]
            least, most = _allowed(mine - shared, other - shared, old[edge] + shared)
            low, high = min(low, shared + least), max(high, shared + most)
        change = now[edge] - old[edge]
        if change < low:
            broken.append(Promise("edit", edge[0] or "module", f"lost: {_told(edge)}"))
        elif change > high:
            broken.append(Promise("edit", edge[0] or "module", f"stands too often: {_told(edge)}"))
    return broken


def _count_common(versions: Versions) -> Counter[_Edge]:
    """The edges of the statements that both sides added, less those of the statements that both removed."""
    old, left, right = (
        _simple_statements(scope) if scope is not None else {}
        for scope in (versions.base, versions.ours, versions.theirs)
    )
    edges: Counter[_Edge] = Counter()
    for text in {*old, *left, *right}:
        before = len(old.get(text, ()))
        mine, other = len(left.get(text, ())) - before, len(right.get(text, ())) - before
        if mine * other > 0:
            node = (left.get(text) or old[text])[0]
            count = min(mine, other) if mine > 0 else max(mine, other)
            edges.update({edge: n * count for edge, n in Counter(_edges_of_statement(versions.name, node)).items()})
    return edges


@read_once
def _simple_statements(scope: Scope) -> dict[str, list[ast.stmt]]:
    found: dict[str, list[ast.stmt]] = {}
    for node in in_scope(scope):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            found.setdefault(ast.dump(node), []).append(node)
    return found


def _edges_of_statement(name: str, statement: ast.stmt) -> Iterator[_Edge]:
    yield name, "", "statement", _shallow(statement)
    for inner in ast.walk(statement):
        yield from _children(name, inner)


def _comments(readings: Sequence[Reading]) -> list[list[str]]:
    """The comments of each, without the statements of the module that all of them have."""
    common = set.intersection(*({p.text for p in reading.statements.items} for reading in readings))
    out = []
    for reading in readings:
        items = reading.statements.items
        some = [c for p in items if p.text not in common for c in p.comments]
        last = items[-1].end if items else 0
        out.append([*some, *comments_between(reading.source, last, len(reading.source.data))])
    return out


def _allowed(mine: int, other: int, before: int) -> tuple[int, int]:
    """The least and the greatest change of a count that holds both edits."""
    if mine >= 0 and other >= 0:
        return max(mine, other), mine + other
    if mine <= 0 and other <= 0:
        return max(mine + other, -before), min(mine, other)
    return mine + other, mine + other


def _told(edge: _Edge) -> str:
    _, parent, place, child = edge
    return f"{child} ({place} of {parent})" if parent else f"{place} {child}"


@read_once
def _count_edges(scope: Scope) -> Counter[_Edge]:
    return Counter(_edges_of(scope))


def _edges_of(scope: Scope) -> Iterator[_Edge]:
    name = scope.name
    node = scope.node
    documented = _docstring(node)
    if documented is not None:
        for line in documented.splitlines():
            if line.strip():
                yield name, "", "text", line.strip()
    if not isinstance(node, ast.Module):
        yield name, "", "definition", f"{type(node).__name__} {getattr(node, 'name', '')}"
        for child in _header_nodes(node):
            yield name, "header", "", _shallow(child)
            for inner in ast.walk(child):
                yield from _children(name, inner)
    skipped = node.body[0].value if documented is not None else None  # type: ignore[attr-defined]
    for inner in in_scope(scope):
        if inner is skipped or (isinstance(inner, ast.Expr) and inner.value is skipped):
            continue
        if isinstance(inner, ast.stmt) and not isinstance(inner, DEFINITIONS):
            yield name, "", "statement", _shallow(inner)
        if not isinstance(inner, DEFINITIONS):
            yield from _children(name, inner)


def _header_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for field, value in ast.iter_fields(node):
        if field in ("body", "name"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _children(scope: str, node: ast.AST) -> Iterator[_Edge]:
    parent = _shallow(node)
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.stmt | ast.expr_context):
                yield scope, parent, field, _shallow(child)


def _docstring(node: ast.AST) -> str | None:
    body = getattr(node, "body", None)
    if not body or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Constant):
        return None
    value = body[0].value.value
    return value if isinstance(value, str) else None


def _shallow(node: ast.AST) -> str:
    """A node without what stands in it."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return repr(value)
        case ast.JoinedStr():
            return ast.unparse(node)
        case ast.Attribute(attr=attr):
            return f".{attr}"
        case ast.keyword(arg=name) | ast.arg(arg=name):
            return f"{name}="
        case ast.alias(name=name, asname=asname):
            return f"{name} as {asname}" if asname else name
        case ast.ImportFrom(module=module, level=level):
            return f"from {'.' * level}{module}"
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return f"{type(node).__name__} {names}"
        case ast.ExceptHandler(name=name):
            return f"except as {name}"
    return type(node).__name__
