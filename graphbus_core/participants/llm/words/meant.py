"""The shape of a proposal as it was meant: where an answer holds one in another wrapping, or a value in another form.

Like `salvage`, it takes only what has a single reading, and notes each thing that it read. A number above 1 as a
confidence can only be per cent; `Cleaner.clean` as the method of the node Cleaner can only be `clean`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from graphbus_core.model.operation import OPERATIONS
from graphbus_core.negotiation.proposal.vocabulary import ProposalType
from graphbus_core.participants.llm.words import salvage

TYPES = tuple(t.value for t in ProposalType)
DEPTH_MAX = 12
_WRAPPINGS = frozenset({"answer", "result", "response", "output", "data", "proposal"})
_DIFFS = frozenset({"changes", "operations", "edits"})
# As models call them from habit; only where the operation has no such key itself.
_OTHER_KEYS = {"class": "node", "class_name": "node", "agent": "node", "new_body": "body", "new_code": "body"}
_OTHER_KEYS |= {"code": "body", "content": "source"}
_DEF = re.compile(r"^(async\s+)?def\s+")
_CALL = re.compile(r"([\w.]+)\s*\(.*\)")


def answer(body: Any, required: Any, notes: list[str]) -> Any:
    """The answer to a question that asks for proposals, out of the list or the one proposal that was given instead."""
    body = _unwrapped(body, required or (), notes)
    if "proposals" not in (required or ()):
        return salvage.single(body, notes)
    if isinstance(body, list) and all(isinstance(one, dict) and "diff" in one for one in body):
        notes.append("a list of proposals was read as the answer")
        return {"proposals": body}
    body = salvage.single(body, notes)
    if isinstance(body, dict) and "proposals" not in body and "diff" in body:
        notes.append("a proposal alone was read as the answer")
        return {"proposals": [body]}
    if isinstance(body, dict) and isinstance(body.get("proposals"), dict):
        notes.append("one proposal was read as a list of one")
        return {**body, "proposals": [body["proposals"]]}
    return body


def _unwrapped(body: Any, required: Collection[str], notes: list[str]) -> Any:
    """What stands under the one key of an answer that only wraps it; `proposal` alone for `proposals`."""
    if not isinstance(body, dict) or len(body) != 1 or (key := next(iter(body))) in required:
        return body
    inner = body[key]
    if key not in _WRAPPINGS or not isinstance(inner, dict) or not ("diff" in inner or set(required) <= set(inner)):
        return body
    notes.append(f"what stood under {key} was read as the answer")
    return inner


def values(value: Any, labels: Mapping[str, str], notes: list[str], depth: int = 0) -> Any:
    """`value` with what proposals and operations hold in the form that the negotiation reads."""
    if depth > DEPTH_MAX:
        return value
    if isinstance(value, list):
        return [values(one, labels, notes, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: values(inner, labels, notes, depth + 1) for key, inner in value.items()}
    if made.get("diff") is None and "op" not in made:
        for key in _DIFFS & set(made):
            if isinstance(made[key], list) and made[key] and all(isinstance(o, dict) and "op" in o for o in made[key]):
                made["diff"] = made.pop(key)
                notes.append(f"{key} was read as the diff")
    if "diff" in made:
        _proposal(made, notes)
    if "op" in made:
        _operation(made, labels, notes)
    return made


def _proposal(made: dict[str, Any], notes: list[str]) -> None:
    _confidence(made, notes)
    priority = _number(made.get("priority"))
    if isinstance(made.get("priority"), str) and priority is not None and priority == int(priority):
        notes.append(f"the priority {made['priority']!r} was read as a number")
        made["priority"] = int(priority)
    for key in ("affected_agents", "dependencies"):
        _names(made, key, notes)
    if isinstance(made.get("type"), str) and made["type"] not in TYPES:
        made["type"] = salvage.word(made["type"], TYPES, notes)
        if made["type"] not in TYPES:  # a label, computed where it matters; leaving it out is allowed
            notes.append(f"the type {made.pop('type')[:40]!r} is not a known one and was left out")


def _confidence(made: dict[str, Any], notes: list[str]) -> None:
    confidence = _number(made.get("confidence"))
    if confidence is not None and 1 < confidence <= 100:
        confidence /= 100
    if confidence is None and isinstance(made.get("confidence"), str):
        notes.append(f"the confidence {made.pop('confidence')[:40]!r} is not a number and was left out")
    if confidence is not None and confidence != made["confidence"]:
        notes.append(f"the confidence {made['confidence']!r} was read as {confidence:g}")
        made["confidence"] = confidence


def _names(made: dict[str, Any], key: str, notes: list[str]) -> None:
    if isinstance(made.get(key), str):
        made[key] = [name.strip() for name in made[key].split(",") if name.strip()]
        notes.append(f"{key} was a text and was read as a list")
    elif isinstance(made.get(key), list) and all(isinstance(o, dict) and set(o) == {"name"} for o in made[key]):
        made[key] = [one["name"] for one in made[key]]
        notes.append(f"{key}: the objects were read as their names")


def _number(given: Any) -> float | None:
    """A number, also one that was written as a text; per cent signs are left to whoever reads the value."""
    if isinstance(given, bool) or given is None:
        return None
    try:
        return float(str(given).strip().removesuffix("%"))
    except ValueError:
        return None


def _operation(made: dict[str, Any], labels: Mapping[str, str], notes: list[str]) -> None:
    if isinstance(made["op"], str) and (snake := re.sub(r"(?<=[a-z])(?=[A-Z])", "_", made["op"])) != made["op"]:
        made["op"] = snake  # what it is read as, `salvage.operations` notes
    cls = OPERATIONS.get(re.sub(r"[\s-]+", "_", str(made["op"]).strip().lower()))
    takes = cls.__dataclass_fields__ if cls else {}
    for key, other in _OTHER_KEYS.items():
        if key in made and key not in takes and other in takes and made.get(other) is None:
            made[other] = made.pop(key)
            notes.append(f"{key} was read as {other}")
    for key in ("body", "source"):
        if isinstance(made.get(key), list) and all(isinstance(line, str) for line in made[key]):
            made[key] = "\n".join(made[key])
            notes.append(f"{key} was a list of lines and was read as text")
    if isinstance(made.get("method"), str):
        _method(made, made["method"], notes)
    for key in ("body", "source"):
        if isinstance(made.get(key), str) and made[key].strip() in labels:
            notes.append(f"{key}: the label {made[key].strip()!r} was read as the block that carries it")
            made[key] = labels[made[key].strip()]


def _method(made: dict[str, Any], method: str, notes: list[str]) -> None:
    """The name alone, where a method was given as `def name(self)` or `Node.name`; the node too, where it was not."""
    plain = _DEF.sub("", method.strip())
    plain = m[1] if (m := _CALL.fullmatch(plain)) else plain
    if isinstance(node := made.get("node"), str):
        plain = plain.removeprefix(f"{node}.")
    elif "." in plain:
        made["node"], _, plain = plain.rpartition(".")
    if plain != method:
        notes.append(f"the method {method[:60]!r} was read as {plain!r}")
        made["method"] = plain
