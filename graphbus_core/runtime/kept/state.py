"""What nodes keep between runs: one file for all of them, replaced as a whole, so that a failed save keeps the last.

What the file holds for a node that is not there (left out as broken, or no longer of the build) stays in it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.errors import RuntimeFault, UsageError
from graphbus_core.files.whole import put_whole
from graphbus_core.node_base import GraphBusNode

VERSION = 1


def keeps(node: GraphBusNode) -> bool:
    """Whether a node has anything that outlives a run: a state of its own, or a memory that it used."""
    return type(node).get_state is not GraphBusNode.get_state or bool(_memory(node))


def _memory(node: GraphBusNode) -> dict[str, Any] | None:
    kept = getattr(node.memory, "to_keep", None)
    return kept() if callable(kept) else None


def gather(nodes: Mapping[str, GraphBusNode]) -> dict[str, Any]:
    """What each node wants to be kept: `nodes`, and `memory` of those that used theirs.

    Raises RuntimeFault that names the node whose state cannot be had as JSON.
    """
    kept: dict[str, Any] = {}
    remembered: dict[str, Any] = {}
    for name, node in nodes.items():
        try:
            state = node.get_state()
            if state is not None:
                kept[name] = json.loads(json.dumps(state))
            if memory := _memory(node):
                remembered[name] = json.loads(json.dumps(memory))
        except Exception as e:
            raise RuntimeFault(f"The state of {name} cannot be saved: {type(e).__name__}: {e}. Nothing was.") from e
    return {"nodes": kept, "memory": remembered}


def text_of(kept: dict[str, Any]) -> str:
    """The same as text, to be compared."""
    return json.dumps(kept, sort_keys=True)


def save(path: str | Path, nodes: Mapping[str, GraphBusNode]) -> int:
    """Write the state of all nodes and return how many have one. What was saved before stays until it is whole."""
    kept = gather(nodes)
    write(path, kept, nodes)
    return len(kept["nodes"].keys() | kept["memory"].keys())


def write(
    path: str | Path,
    kept: dict[str, Any],
    nodes: Collection[str],
    held: Iterable[tuple[str, str]] = (),
    position: int | None = None,
) -> None:
    """Write what `gather` gave. `held` are the deliveries that it holds and the journal does not call done yet;
    `position` is how far the journal went.
    """
    path = Path(path)
    content: dict[str, Any] = {"state": "graphbus", "version": VERSION}
    for part, mine in kept.items():
        content[part] = {name: one for name, one in _saved(path, part).items() if name not in nodes} | mine
    if not content["memory"]:
        del content["memory"]
    if position is not None:
        content["journal"] = {"position": position, "held": [list(one) for one in held]}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put_whole(path, json.dumps(content, indent=1, sort_keys=True).encode(), durable=True)
    except OSError as e:
        raise RuntimeFault(f"The state cannot be saved to {path}: {e.strerror}. What was saved before stands.") from e


def restore(path: str | Path, nodes: Mapping[str, GraphBusNode]) -> int:
    """Give nodes back what they kept and return how many there were. No file: nothing was kept yet."""
    path = Path(path)
    restored: set[str] = set()
    for part in ("memory", "nodes"):  # a node's own `set_state` has the last word
        for name, kept in _saved(path, part).items():
            if name not in nodes:
                continue
            try:
                if part == "nodes":
                    nodes[name].set_state(kept)
                elif nodes[name].memory is not None:
                    nodes[name].memory.take_back(kept)
            except Exception as e:
                raise RuntimeFault(
                    f"The state of {name} cannot be restored from {path}: {type(e).__name__}: {e}."
                ) from e
            restored.add(name)
    return len(restored)


def held(path: str | Path) -> list[tuple[str, str]]:
    """The deliveries that the saved state holds, and that the journal may not call done."""
    said = _saved(Path(path), "journal").get("held", [])
    return [(str(event_id), str(name)) for event_id, name in said]


def _saved(path: Path, part: str) -> dict[str, Any]:
    """A part of the file: `nodes`, `memory`, `journal`. Raises UsageError where it is something else."""
    try:
        data = json.loads(path.read_text("utf-8"))
        data["nodes"]
        kept = dict(data.get(part) or {})
        version = int(data["version"])
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{path} is not a saved state of GraphBus; move it away, or give another file.") from None
    if version > VERSION:
        raise UsageError(f"{path} is a state of version {version}; this GraphBus reads up to {VERSION}.")
    return kept
