"""Where each node of the graph stands: layers from left to right, computed once, here and not in the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

COLUMN, ROW = 190.0, 90.0
MAX_COLUMNS = 40  # a longer chain goes on in the next band, as text does


def layout(order: Sequence[str], edges: Iterable[tuple[str, str]]) -> Mapping[str, tuple[float, float]]:
    """Positions by name. `order` is the activation order; edges go from what is needed to what needs it."""
    place = {name: i for i, name in enumerate(order)}
    before: dict[str, list[str]] = {name: [] for name in order}
    for source, target in edges:
        # An edge against the order closes a circle. Left out, depths stay finite and the rest of the picture is
        # right.
        if source in place and target in place and place[source] < place[target]:
            before[target].append(source)
    depth: dict[str, int] = {}
    for name in order:
        depth[name] = max((depth[b] + 1 for b in before[name]), default=0)
    columns: dict[int, list[str]] = {}
    for name in order:
        columns.setdefault(depth[name], []).append(name)
    height = dict.fromkeys(range(max(columns, default=0) // MAX_COLUMNS + 1), 0)
    for column, names in columns.items():
        height[column // MAX_COLUMNS] = max(height[column // MAX_COLUMNS], len(names))
    top: dict[int, float] = {}
    y = 0.0
    for band in sorted(height):
        top[band] = y
        y += (height[band] + 1) * ROW
    positions: dict[str, tuple[float, float]] = {}
    for column in sorted(columns):
        band = column // MAX_COLUMNS
        # By the middle of what comes before: fewer crossings, without a search that would move everything at each
        # edit.
        names = sorted(columns[column], key=lambda n: (_middle(before[n], positions), place[n]))
        offset = (height[band] - len(names)) * ROW / 2
        for i, name in enumerate(names):
            positions[name] = ((column % MAX_COLUMNS) * COLUMN, top[band] + offset + i * ROW)
    return positions


def _middle(names: Sequence[str], positions: Mapping[str, tuple[float, float]]) -> float:
    known = [positions[n][1] for n in names if n in positions]
    return sum(known) / len(known) if known else 0.0
