"""What nodes keep between runs: one file for all of them, replaced as a whole, so that a failed save keeps the last.

What the file holds for a node that is not there (left out as broken, or no longer of the build) stays in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphbus_core.errors import RuntimeFault, UsageError
from graphbus_core.files.whole import put_whole
from graphbus_core.node_base import GraphBusNode

VERSION = 1


def gather(nodes: Mapping[str, GraphBusNode]) -> dict[str, Any]:
    """What each node wants to be kept. Raises RuntimeFault that names the node whose state cannot be had as JSON."""
    kept: dict[str, Any] = {}
    for name, node in nodes.items():
        try:
            state = node.get_state()
            if state is not None:
                kept[name] = json.loads(json.dumps(state))
        except Exception as e:
            raise RuntimeFault(f"The state of {name} cannot be saved: {type(e).__name__}: {e}. Nothing was.") from e
    return kept


def save(path: str | Path, nodes: Mapping[str, GraphBusNode]) -> int:
    """Write the state of all nodes and return how many have one. What was saved before stays until it is whole."""
    path = Path(path)
    kept = gather(nodes)
    absent = {name: state for name, state in _saved(path).items() if name not in nodes}
    content = json.dumps({"state": "graphbus", "version": VERSION, "nodes": absent | kept}, indent=1, sort_keys=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put_whole(path, content.encode(), durable=True)
    except OSError as e:
        raise RuntimeFault(f"The state cannot be saved to {path}: {e.strerror}. What was saved before stands.") from e
    return len(kept)


def restore(path: str | Path, nodes: Mapping[str, GraphBusNode]) -> int:
    """Give nodes back what they kept and return how many there were. No file: nothing was kept yet."""
    path = Path(path)
    kept = _saved(path)
    known = [name for name in kept if name in nodes]
    for name in known:
        try:
            nodes[name].set_state(kept[name])
        except Exception as e:
            raise RuntimeFault(f"The state of {name} cannot be restored from {path}: {type(e).__name__}: {e}.") from e
    return len(known)


def _saved(path: Path) -> dict[str, Any]:
    """What the file holds, by node. Raises UsageError where it is something else."""
    try:
        data = json.loads(path.read_text("utf-8"))
        kept = dict(data["nodes"])
        version = int(data["version"])
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{path} is no saved state of GraphBus; move it away, or give another file.") from None
    if version > VERSION:
        raise UsageError(f"{path} is a state of version {version}; this GraphBus reads up to {VERSION}.")
    return kept
