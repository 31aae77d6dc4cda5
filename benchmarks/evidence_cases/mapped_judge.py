"""A stranger's judge, run with the mappings carried out that the project declares, as FORMAT.md asks of every judge.

    python mapped_judge.py JUDGE.PY

The judges of r1, r2 and r4 hand a result over by name and know of no mapping. Nothing else of a judge is touched: what
it runs, what it holds the result to, and how it ends are its own.
"""

from __future__ import annotations

import dataclasses
import runpy
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

AWARE = "_graphbus_mappings"  # a judge that reads it carries mappings out by itself


def apply_mappings(result: Any, method: Any) -> Any:
    """A result under the consumer's own names; as it is where nothing is mapped."""
    mappings: Mapping[str, Any] = getattr(method, AWARE, None) or {}
    if not mappings:
        return result
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        result = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    elif hasattr(result, "_asdict"):
        result = result._asdict()
    elif hasattr(result, "model_dump"):
        result = result.model_dump(by_alias=True)
    sent = dict(result)
    for names, conversions in mappings.values():
        sent |= {own: result[theirs] for own, theirs in names.items() if theirs in result}
        sent |= {own: convert(sent[own]) for own, convert in conversions.items() if own in sent}
    return sent


def run(judge: Path) -> int:
    """What the judge ends with."""
    text = judge.read_text("utf-8")
    if AWARE in text:
        runpy.run_path(str(judge), run_name="__main__")
        return 0
    space: dict[str, Any] = {"__name__": "judge", "__file__": str(judge)}
    exec(compile(text, str(judge), "exec"), space)
    for name in ("send", "feed"):
        if name in space:
            space[name] = _wrap(space[name])
    return int(space["main"]() or 0)


def _wrap(deliver: Callable[..., Any]) -> Callable[..., Any]:
    """`send(result, method)`, or `send(node, name, payload, ...)`."""

    def deliver_mapped(first: Any, second: Any, *payloads: Any) -> Any:
        if not isinstance(second, str):
            return deliver(apply_mappings(first, second), second)
        return deliver(first, second, *(apply_mappings(p, getattr(first, second)) for p in payloads))

    return deliver_mapped


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])))
