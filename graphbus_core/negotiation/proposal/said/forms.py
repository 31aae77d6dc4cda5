"""How answers are read: the seeds' spellings of a proposal, an evaluation and a ruling become one canonical form.

Seed 000 writes a diff nested (`"output_schema": {"add": …}`), seed 002 as `code_change` and `schema_change`; the
canonical diff is a list of operations (design §6.12). Whatever cannot be read raises `Unreadable` with words that its
author can act on. Nothing here knows a negotiation's state.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

from graphbus_core.errors import UsageError
from graphbus_core.model.operation import (
    FILES,
    AddImport,
    AddMethod,
    Define,
    EditText,
    Operation,
    RemoveImport,
    ReplaceBody,
    operation,
)
from graphbus_core.negotiation.proposal.said.bodies import NotABody, body_of, elided
from graphbus_core.negotiation.proposal.said.meant import as_meant, method_of
from graphbus_core.negotiation.proposal.vocabulary import Decision, ProposalType, Ruling

MAX_OPERATIONS = 100  # of one diff
MAX_TEXT = 20_000  # characters of a rationale, a reasoning or a ruling
MAX_CODE = 200_000  # characters of one body
MAX_PROPOSALS = 50  # of one answer; what the bounds of the build let through is decided later, in the log

TYPES = tuple(t.value for t in ProposalType)
_SIDES = {"input_schema": "input", "input": "input", "output_schema": "output", "output": "output"}
_PAYLOADS = {"payload_schema": "payload", "payload": "payload"}


_Kind = TypeVar("_Kind", bound=StrEnum)


class Unreadable(Exception):
    """An answer that means nothing; the message says why."""


# ------------------------------------------------------------------------------------------------ proposals


def read_proposals(body: Mapping[str, Any], author: str) -> list[dict[str, Any]]:
    """All proposals of one answer, canonical. An empty list is a good answer: nothing to propose."""
    tried = body.get("tried")
    found = tried if isinstance(tried, Sequence) and not isinstance(tried, str) else ()
    return [
        {**read_proposal(one, author), **_read_as(body), **({"tried": found[i]} if i < len(found) and found[i] else {})}
        for i, one in enumerate(given_proposals(body))
    ]


def given_proposals(body: Mapping[str, Any]) -> Sequence[Any]:
    """The proposals of one answer as they were written. Raises Unreadable."""
    given = body.get("proposals")
    if given is None and ("diff" in body or "code_change" in body or "schema_change" in body):
        given = [body]
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise Unreadable('answer with {"proposals": [...]}; an empty list where you have nothing to propose')
    if len(given) > MAX_PROPOSALS:
        raise Unreadable(f"{len(given)} proposals in one answer; at most {MAX_PROPOSALS} are read")
    return given


def read_proposal(body: Any, author: str) -> dict[str, Any]:
    """One proposal, canonical. `author` is the node that a diff speaks of where it names none."""
    if not isinstance(body, Mapping):
        raise Unreadable(f"a proposal is an object, not {_short(body)}")
    label = body.get("type", body.get("proposal_type"))
    if label is not None and label not in TYPES:
        raise Unreadable(f"type is {_short(label)}; use one of {', '.join(TYPES)}")
    ops = read_diff(_diff_of(body), author)
    intent = _text(body, "intent")
    rationale = _text(body, "rationale", "reason", "reasoning")
    summary = _text(body, "summary", "title") or intent or _first_line(rationale)
    to = body.get("affected_agents")
    if to is None:
        to = [body["dst"]] if body.get("dst") else []
    priority = body.get("priority", 0)
    if isinstance(priority, bool) or not isinstance(priority, int):
        raise Unreadable(f"priority is {_short(priority)}; it is a whole number")
    return {
        "type": label or "",
        "diff": ops,
        "summary": summary,
        "rationale": rationale,
        "affected_agents": _names(to, "affected_agents"),
        "confidence": _confidence(body),
        "intent": intent,
        "dependencies": _names(body.get("dependencies") or [], "dependencies"),
        "priority": priority,
    }


def _diff_of(body: Mapping[str, Any]) -> Any:
    if "diff" in body and body["diff"] is not None:
        return body["diff"]
    parts = [body[k] for k in ("schema_change", "code_change") if body.get(k)]
    if not parts:
        raise Unreadable("there is no diff; a proposal says what it changes")
    return parts


def read_diff(diff: Any, author: str) -> list[dict[str, Any]]:
    """A diff in any of its spellings, as a list of canonical operations."""
    parts = [diff] if isinstance(diff, Mapping) else diff
    if not isinstance(parts, Sequence) or isinstance(parts, str):
        raise Unreadable(f"diff is {_short(diff)}; it is a list of operations")
    ops: list[dict[str, Any]] = []
    for part in parts:
        if not isinstance(part, Mapping):
            raise Unreadable(f"an operation is an object, not {_short(part)}")
        if "op" in part:
            ops.append({"node": author, **method_of(part), **{k: v for k, v in part.items() if v is not None}})
        elif "change_type" in part or "new_code" in part:
            ops.append(_from_code_change(part, author))
        else:
            ops.extend(_from_nested(part, author))
    if not ops:
        raise Unreadable("the diff is empty; leave the proposal out where you change nothing")
    if len(ops) > MAX_OPERATIONS:
        raise Unreadable(f"{len(ops)} operations in one diff; at most {MAX_OPERATIONS} are read")
    return [_sound(op).to_dict() for op in ops]


def _understood(data: Mapping[str, Any]) -> Operation:
    try:
        op = as_meant(operation(data))
        if isinstance(op, ReplaceBody):
            return replace(op, body=body_of(op.body, op.node.rpartition(".")[2], op.method or ""))
        return op
    except (UsageError, TypeError) as e:
        raise Unreadable(str(e)) from None
    except NotABody as e:
        raise Unreadable(f"the body of {data.get('node')}.{data.get('method')} cannot be taken: {e}") from None


def _sound(data: Mapping[str, Any]) -> Operation:
    """The operation, with its code parsed and its body as it was meant: text that is not Python is not an answer."""
    op = _understood(data)
    code = getattr(op, "body", "") or getattr(op, "source", "") or getattr(op, "new", "") or ""
    if (left_out := elided(code)) is not None:
        raise Unreadable(f"{op.symbol}: {left_out!r} stands for code that is not written; write all of it")
    match op:
        case ReplaceBody(body=text):
            _parses("async def _(self):\n" + textwrap.indent(text or "pass", "    "), f"the body of {op.symbol}", text)
        case AddMethod(source=text):
            tree = _parses(textwrap.dedent(text), f"the method {op.symbol}", text)
            if len(tree.body) != 1 or getattr(tree.body[0], "name", None) != op.method:
                raise Unreadable(f"add_method {op.symbol}: source holds exactly the one method {op.method}")
        case AddImport(statement=text) | RemoveImport(statement=text):
            tree = _parses(text.strip(), f"the import of {op.node}", text)
            if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Import | ast.ImportFrom):
                raise Unreadable(f"{op.op}: statement is one import, not {_short(text)}")
        case Define(source=text):
            _parses(textwrap.dedent(text), f"the definition of {op.name}", text)
        case EditText(old=old, new=text):
            if not old.strip():
                raise Unreadable(f"edit {op.symbol}: `old` is empty; copy the text that is to be replaced")
            if len(text) + len(old) > MAX_CODE:
                raise Unreadable(f"edit {op.symbol} has {len(text) + len(old)} characters; at most {MAX_CODE} are read")
        case _ if isinstance(op, FILES):
            _parses(textwrap.dedent(op.source), op.path, op.source)
        case _:
            pass
    return op


def _parses(source: str, what: str, text: str) -> ast.Module:
    if len(text) > MAX_CODE:
        raise Unreadable(f"{what} has {len(text)} characters; at most {MAX_CODE} are read")
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise Unreadable(f"{what} is not Python: {e}") from None


def _from_nested(part: Mapping[str, Any], author: str) -> Iterable[dict[str, Any]]:
    """Seed 000's form: `{"method": …, "output_schema": {"add": {…}, "remove": […], "rename": {…}, …}}`."""
    node = part.get("node", part.get("agent", author))
    where: dict[str, Any] = {"node": node}
    target = part.get("target")
    if part.get("topic"):
        where["topic"] = part["topic"]
    elif part.get("method") or target:
        where["method"] = part.get("method") or str(target).rpartition(".")[2]
    found = False
    for key, side in (_PAYLOADS if "topic" in where else _SIDES).items():
        if key not in part:
            continue
        found = True
        steps = part[key]
        if not isinstance(steps, Mapping):
            raise Unreadable(f"{key} is {_short(steps)}; it is an object with add, remove, rename, retype or optional")
        if unknown := sorted(set(steps) - {"add", "remove", "rename", "retype", "change", "modify", "optional"}):
            raise Unreadable(f"{key} takes no {', '.join(unknown)}; it takes add, remove, rename, retype, optional")
        yield from _steps({**where, "side": side}, steps)
    if "body" in part:
        found = True
        yield {"op": "replace_body", **where, "body": part["body"]}
    if not found:
        raise Unreadable(
            f"a diff with {', '.join(map(str, part)) or 'nothing'} changes nothing that can be applied; "
            "write operations such as add_field or replace_body"
        )


def _steps(at: dict[str, Any], steps: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for name, spec in _items(steps.get("add")):
        given = dict(spec) if isinstance(spec, Mapping) else {"type": spec}
        if unknown := sorted(set(given) - {"type", "optional", "description", "default"}):
            raise Unreadable(f"add {name}: takes no {', '.join(unknown)}")
        yield {"op": "add_field", **at, "field": name, **given}
    remove = steps.get("remove") or []
    for name in [remove] if isinstance(remove, str) else remove:
        yield {"op": "remove_field", **at, "field": name}
    for name, to in _items(steps.get("rename")):
        yield {"op": "rename_field", **at, "field": name, "to": to}
    for key in ("retype", "change", "modify"):
        for name, spec in _items(steps.get(key)):
            given = dict(spec) if isinstance(spec, Mapping) else {"type": spec}
            if "type" in given:
                yield {"op": "retype_field", **at, "field": name, "type": given["type"]}
            if "optional" in given:
                yield {"op": "set_optional", **at, "field": name, "optional": given["optional"]}
    for name, optional in _items(steps.get("optional")):
        yield {"op": "set_optional", **at, "field": name, "optional": optional}


def _items(steps: Any) -> Iterable[tuple[str, Any]]:
    if steps is None:
        return ()
    if not isinstance(steps, Mapping):
        raise Unreadable(f"{_short(steps)} is not an object of fields")
    return steps.items()


def _from_code_change(part: Mapping[str, Any], author: str) -> dict[str, Any]:
    """Seed 002's `CodeChange`: modify, add or delete of a method, with old and new code."""
    owner, _, method = str(part.get("target") or part.get("method") or "").rpartition(".")
    at = {"node": part.get("node") or owner or author, "method": method}
    kind = part.get("change_type", "modify")
    code = part.get("new_code") or ""
    if not isinstance(code, str):
        raise Unreadable(f"new_code is {_short(code)}; it is text")
    match kind:
        case "add":
            return {"op": "add_method", **at, "source": code}
        case "delete":
            return {"op": "delete_method", **at}
        case "modify":
            return {"op": "replace_body", **at, "body": code}
    raise Unreadable(f"change_type is {_short(kind)}; use modify, add or delete")


# ------------------------------------------------------------------------------- evaluations, rulings, approvals


def read_evaluation(body: Mapping[str, Any], evaluator: str) -> dict[str, Any]:
    """One evaluation, canonical. A reject that brings a counter-proposal is a counter; an accept, a modification."""
    decision = _decision(body.get("decision"), Decision)
    counter = body.get("counter_proposal")
    read = read_proposal(counter, evaluator) if counter else None
    if read is None and decision in (Decision.COUNTER, Decision.ACCEPT_WITH_MODIFICATION):
        plain = "reject" if decision is Decision.COUNTER else "accept"
        raise Unreadable(f"{decision} comes with a counter_proposal; say {plain} where you have none")
    if read is not None and decision is Decision.REJECT:
        decision = Decision.COUNTER
    if read is not None and decision is Decision.ACCEPT:
        decision = Decision.ACCEPT_WITH_MODIFICATION
    impact = body.get("impact_assessment")
    return {
        "decision": decision.value,
        "reasoning": _text(body, "reasoning", "reason", "rationale"),
        "confidence": _confidence(body),
        "concerns": _names(body.get("concerns") or [], "concerns"),
        "suggestions": _names(body.get("suggestions") or [], "suggestions"),
        "counter_proposal": read if decision is not Decision.DEFER else None,
        "impact_assessment": dict(impact) if isinstance(impact, Mapping) else None,
        **_read_as(body),
    }


def read_ruling(body: Mapping[str, Any], proposals: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One ruling over one proposal, or over several that conflict (then it says which one stands)."""
    decision = _decision(body.get("decision"), Ruling)
    known = {p["proposal_id"]: p for p in proposals}
    chosen = body.get("proposal_id") or (next(iter(known)) if len(known) == 1 else None)
    if decision is not Ruling.REJECT and chosen not in known:
        raise Unreadable(f"proposal_id is {_short(chosen)}; name the one that stands: {', '.join(known)}")
    diff: list[dict[str, Any]] = []
    if decision in (Ruling.ACCEPT_MODIFIED, Ruling.SPLIT):
        if not body.get("committed_diff"):
            raise Unreadable(f"{decision} comes with a committed_diff; say accept where nothing is to be changed")
        diff = read_diff(body["committed_diff"], known[chosen]["proposer"])
    later: list[dict[str, Any]] = []
    notes: list[str] = []
    deferred = body.get("deferred_proposals") or []
    if not isinstance(deferred, Sequence) or isinstance(deferred, str) or len(deferred) > MAX_PROPOSALS:
        raise Unreadable("deferred_proposals is a list")
    for one in deferred:
        if isinstance(one, str):
            notes.append(one[:MAX_TEXT])  # seed 000 defers by name: it has no diff yet, so its proposer is told
        else:
            later.append(read_proposal(one, known[chosen]["proposer"] if chosen in known else proposals[0]["proposer"]))
    return {
        "decision": decision.value,
        "ruling": _text(body, "ruling", "reasoning", "reason"),
        "proposal_id": chosen if decision is not Ruling.REJECT else None,
        "committed_diff": diff,
        "deferred": later,
        "notes": notes,
        **_read_as(body),
    }


def read_approval(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a person says before a commit."""
    approve = body.get("approve")
    if not isinstance(approve, bool):
        raise Unreadable('answer with {"approve": true or false, "reason": "..."}')
    return {"approve": approve, "reason": _text(body, "reason", "reasoning")}


# ------------------------------------------------------------------------------------------------ small parts


def _read_as(body: Mapping[str, Any]) -> dict[str, Any]:
    """What was made of slips in the answer's form, for the log; nothing where there were none."""
    notes = body.get("read_as")
    kept = [n[:200] for n in notes if isinstance(n, str)][:20] if isinstance(notes, list) else []
    return {"read_as": kept} if kept else {}


def _decision(given: Any, kinds: type[_Kind]) -> _Kind:
    word = given.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(given, str) else given
    try:
        return kinds(word)
    except ValueError:
        raise Unreadable(f"decision is {_short(given)}; use one of {', '.join(k.value for k in kinds)}") from None


def _text(body: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = body.get(name)
        if value is None:
            continue
        if not isinstance(value, str):
            raise Unreadable(f"{name} is {_short(value)}; it is text")
        if len(value) > MAX_TEXT:
            raise Unreadable(f"{name} has {len(value)} characters; at most {MAX_TEXT} are read")
        return value
    return ""


def _first_line(text: str) -> str:
    line = text.strip().splitlines()[0] if text.strip() else ""
    return line if len(line) <= 120 else line[:117] + "..."


def _names(value: Any, what: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
        raise Unreadable(f"{what} is {_short(value)}; it is a list of texts")
    if sum(map(len, value)) > MAX_TEXT:
        raise Unreadable(f"{what} is longer than {MAX_TEXT} characters")
    return list(dict.fromkeys(value))


def _confidence(body: Mapping[str, Any]) -> float:
    value = body.get("confidence", 0.5)
    if value is None:
        return 0.5
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Unreadable(f"confidence is {_short(value)}; it is a number from 0 to 1")
    return float(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
