"""How answers are read: the seeds' spellings of a proposal, an evaluation and a ruling become one canonical form.

Seed 000 writes a diff nested (`"output_schema": {"add": …}`), seed 002 as `code_change` and `schema_change`; the
canonical diff is a list of operations (design §6.12). Whatever cannot be read raises `Unreadable` with words that its
author can act on. Nothing here knows a negotiation's state.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

from graphbus_core.errors import UsageError
from graphbus_core.model.operation import (
    FILES,
    AddField,
    AddImport,
    AddMethod,
    Define,
    EditText,
    Operation,
    RemoveImport,
    ReplaceBody,
    parse_operation,
)
from graphbus_core.negotiation.proposal.vocabulary import Decision, ProposalType, Ruling
from graphbus_core.syntax import is_docstring

# A body as it was meant: taken out of its `def` or its class, and refused where it stands for something unwritten.
#
# Weaker models answer `replace_body` with the whole method, with its decorators, or with the class around it. What is
# meant is plain: the body of that one method. Where more than that was changed, or where a comment stands for code that
# was left out, nothing can be taken for certain, and the author is told. Text in, text out; nothing is run.


# A comment or an ellipsis that stands for code which its author did not write down.
_ELIDED = re.compile(
    r"(?im)^\s*(?:#|\.\.\.|//)\W*(?:\.\.\.|…)?\W*"
    r"(?:(?:the\s+)?(?:rest|remainder|remaining|existing|previous|original|other|same|unchanged|keep|your)\b[^\n]*"
    r"\b(?:unchanged|same|here|as\s+before|remains?|above|code|logic|body|implementation|method|file)\b"
    r"|(?:todo\W*)?(?:implement(?:\s+(?:this|me|it))?|implementation\s+(?:goes\s+)?here)[ \t]*$"
    r"|(?:todo\W*)?(?:add|put|insert|write)\s+(?:your|the\s+actual|real)\s[^\n]*\b(?:code|logic|implementation)\b"
    r"|\.\.\.|…|snip|omitted|etc)\W*[^\n]*$"
)

_Def = ast.FunctionDef | ast.AsyncFunctionDef


class NotABody(Exception):
    """The text cannot be taken as the body of that method; the message says why, for its author."""


def extract_body(text: str, owner: str, method: str) -> str:
    """The body of `owner.method` that `text` holds: as it is, or out of the `def` or class that it was wrapped in.

    Raises NotABody where the text holds another method, more than one, or a class that changes more than this method.
    A text that does not parse is given back as it is: whoever parses it says where it breaks.
    """
    plain = textwrap.dedent(text).strip("\n")
    try:
        tree = ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    definition = _find_definition(tree.body, owner, method)
    if definition is None:
        return text
    lines = plain.splitlines()
    first = definition.body[0]
    start = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
    head = definition.body[0].col_offset
    if first.lineno == definition.lineno:  # def f(self): return 1
        return lines[first.lineno - 1].encode()[head:].decode()
    end = definition.end_lineno or len(lines)
    # Comments between the `def` line and the first statement belong to the body; the signature may take lines itself.
    begin = start - 1
    while begin > definition.lineno and lines[begin - 1].lstrip().startswith("#"):
        begin -= 1
    return textwrap.dedent("\n".join(lines[begin:end]))


def _find_definition(body: list[ast.stmt], owner: str, method: str) -> _Def | None:
    """The one definition that the whole text is, or the one in the one class that it is; None for a plain body."""
    stated = [node for node in body if not is_docstring(node)]
    if len(stated) != 1:
        if any(isinstance(n, ast.ClassDef) and n.name == owner for n in stated):
            raise NotABody(f"it holds the class {owner} and more; give the body of {method} alone")
        return None
    (only,) = stated
    if isinstance(only, _Def):
        if only.name == method:
            return only
        # A body may define a function and do nothing else only by mistake: nothing would use it.
        raise NotABody(f"it holds nothing but a function {only.name}; give the body of {method}")
    if isinstance(only, ast.ClassDef):
        return _find_in_class(only, owner, method)
    return None


def _find_in_class(only: ast.ClassDef, owner: str, method: str) -> _Def:
    methods = [n for n in only.body if isinstance(n, _Def)]
    ours = [n for n in methods if n.name == method]
    if only.name != owner or len(ours) != 1:
        raise NotABody(f"it holds the class {only.name}; give the body of {owner}.{method} alone")
    if len(methods) > 1:
        # The other methods may or may not differ from what stands in the file: that is not for us to guess.
        raise NotABody(f"it holds the whole class {owner}; give the body of {method} alone, and one operation a method")
    return ours[0]


def find_elision(text: str) -> str | None:
    """The line that stands for code its author left out (`# ... rest unchanged`), or None.

    A bare `...` counts as a statement beside others. Alone it is a body, and means that there is nothing to do.
    """
    if match := _ELIDED.search(text):
        return match[0].strip()[:120]
    try:
        tree = ast.parse(textwrap.dedent(text).strip("\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for block in _list_blocks(tree):
        if len(block) > 1 and any(_is_ellipsis(n) for n in block):
            return "..."
    return None


def _list_blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    blocks = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                blocks.append([n for n in block if isinstance(n, ast.stmt) and not is_docstring(n)])
    return blocks


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis


# What an operation can only mean where a part of it is left out: read as that, because asking again costs a call.


PLAIN_DEFAULT_MAX = 80  # characters of a default that is read as a plain word


def infer_method(part: Mapping[str, Any]) -> dict[str, str]:
    """The method that a whole method's source defines, where the operation does not name it beside."""
    if part.get("op") != AddMethod.op or part.get("method") or not isinstance(part.get("source"), str):
        return {}
    try:
        defined = [getattr(s, "name", "") for s in ast.parse(textwrap.dedent(part["source"])).body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # said when the source is read
    return {"method": defined[0]} if len(defined) == 1 and defined[0] else {}


def normalize_default(op: Operation) -> Operation:
    """The operation with the default of a text as Python writes it: `en`, and nothing at all, are `'en'` and `''`.

    `city` as what a method gives for its new field `city` is the parameter of that name, handed on.
    """
    if not isinstance(op, AddField) or op.type.strip() != "str" or op.default is None:
        return op
    if op.side != "input" and op.default.strip() == op.field.rpartition(".")[2]:
        return op
    try:
        ast.literal_eval(op.default)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # JSON has quotes of its own, and models forget the second pair. What is more than words may be code: refused.
        plain = len(op.default) <= PLAIN_DEFAULT_MAX and all(c.isalnum() or c in " -_" for c in op.default)
        return replace(op, default=repr(op.default)) if plain else op
    return op


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
    trials = tried if isinstance(tried, Sequence) and not isinstance(tried, str) else ()
    return [
        {
            **read_proposal(proposal, author),
            **_read_notes(body),
            **({"tried": trials[i]} if i < len(trials) and trials[i] else {}),
        }
        for i, proposal in enumerate(list_raw_proposals(body))
    ]


def list_raw_proposals(body: Mapping[str, Any]) -> Sequence[Any]:
    """The proposals of one answer as they were written. Raises Unreadable."""
    proposals = body.get("proposals")
    if proposals is None and ("diff" in body or "code_change" in body or "schema_change" in body):
        proposals = [body]
    if not isinstance(proposals, Sequence) or isinstance(proposals, str):
        raise Unreadable('answer with {"proposals": [...]}; an empty list where you have nothing to propose')
    if len(proposals) > MAX_PROPOSALS:
        raise Unreadable(f"{len(proposals)} proposals in one answer; at most {MAX_PROPOSALS} are read")
    return proposals


def read_proposal(body: Any, author: str) -> dict[str, Any]:
    """One proposal, canonical. `author` is the node that a diff speaks of where it names none."""
    if not isinstance(body, Mapping):
        raise Unreadable(f"a proposal is an object, not {_clip(body)}")
    label = body.get("type", body.get("proposal_type"))
    if label is not None and label not in TYPES:
        raise Unreadable(f"type is {_clip(label)}; use one of {', '.join(TYPES)}")
    ops = read_diff(_extract_diff(body), author)
    intent = _read_text(body, "intent")
    rationale = _read_text(body, "rationale", "reason", "reasoning")
    summary = _read_text(body, "summary", "title") or intent or _take_first_line(rationale)
    to = body.get("affected_agents")
    if to is None:
        to = [body["dst"]] if body.get("dst") else []
    priority = body.get("priority", 0)
    if isinstance(priority, bool) or not isinstance(priority, int):
        raise Unreadable(f"priority is {_clip(priority)}; it is a whole number")
    return {
        "type": label or "",
        "diff": ops,
        "summary": summary,
        "rationale": rationale,
        "affected_agents": _read_names(to, "affected_agents"),
        "confidence": _read_confidence(body),
        "intent": intent,
        "dependencies": _read_names(body.get("dependencies") or [], "dependencies"),
        "priority": priority,
    }


def _extract_diff(body: Mapping[str, Any]) -> Any:
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
        raise Unreadable(f"diff is {_clip(diff)}; it is a list of operations")
    ops: list[dict[str, Any]] = []
    for part in parts:
        if not isinstance(part, Mapping):
            raise Unreadable(f"an operation is an object, not {_clip(part)}")
        if "op" in part:
            ops.append({"node": author, **infer_method(part), **{k: v for k, v in part.items() if v is not None}})
        elif "change_type" in part or "new_code" in part:
            ops.append(_convert_code_change(part, author))
        else:
            ops.extend(_convert_nested(part, author))
    if not ops:
        raise Unreadable("the diff is empty; leave the proposal out where you change nothing")
    if len(ops) > MAX_OPERATIONS:
        raise Unreadable(f"{len(ops)} operations in one diff; at most {MAX_OPERATIONS} are read")
    return [_validate_operation(op).to_dict() for op in ops]


def _parse_operation(data: Mapping[str, Any]) -> Operation:
    try:
        op = normalize_default(parse_operation(data))
        if isinstance(op, ReplaceBody):
            return replace(op, body=extract_body(op.body, op.node.rpartition(".")[2], op.method or ""))
        return op
    except (UsageError, TypeError) as e:
        raise Unreadable(str(e)) from None
    except NotABody as e:
        raise Unreadable(f"the body of {data.get('node')}.{data.get('method')} cannot be taken: {e}") from None


def _validate_operation(data: Mapping[str, Any]) -> Operation:
    """The operation, with its code parsed and its body as it was meant: text that is not Python is not an answer."""
    op = _parse_operation(data)
    code = getattr(op, "body", "") or getattr(op, "source", "") or getattr(op, "new", "") or ""
    if (left_out := find_elision(code)) is not None:
        raise Unreadable(f"{op.symbol}: {left_out!r} stands for code that is not written; write all of it")
    match op:
        case ReplaceBody(body=text):
            _parse_python(
                "async def _(self):\n" + textwrap.indent(text or "pass", "    "), f"the body of {op.symbol}", text
            )
        case AddMethod(source=text):
            tree = _parse_python(textwrap.dedent(text), f"the method {op.symbol}", text)
            if len(tree.body) != 1 or getattr(tree.body[0], "name", None) != op.method:
                raise Unreadable(f"add_method {op.symbol}: source holds exactly the one method {op.method}")
        case AddImport(statement=text) | RemoveImport(statement=text):
            tree = _parse_python(text.strip(), f"the import of {op.node}", text)
            if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Import | ast.ImportFrom):
                raise Unreadable(f"{op.op}: statement is one import, not {_clip(text)}")
        case Define(source=text):
            _parse_python(textwrap.dedent(text), f"the definition of {op.name}", text)
        case EditText(old=old, new=text):
            if not old.strip():
                raise Unreadable(f"edit {op.symbol}: `old` is empty; copy the text that is to be replaced")
            if len(text) + len(old) > MAX_CODE:
                raise Unreadable(f"edit {op.symbol} has {len(text) + len(old)} characters; at most {MAX_CODE} are read")
        case _ if isinstance(op, FILES):
            _parse_python(textwrap.dedent(op.source), op.path, op.source)
        case _:
            pass
    return op


def _parse_python(source: str, what: str, text: str) -> ast.Module:
    if len(text) > MAX_CODE:
        raise Unreadable(f"{what} has {len(text)} characters; at most {MAX_CODE} are read")
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise Unreadable(f"{what} is not Python: {e}") from None


def _convert_nested(part: Mapping[str, Any], author: str) -> Iterable[dict[str, Any]]:
    """Seed 000's form: `{"method": …, "output_schema": {"add": {…}, "remove": […], "rename": {…}, …}}`."""
    node = part.get("node", part.get("agent", author))
    where: dict[str, Any] = {"node": node}
    target = part.get("target")
    if part.get("topic"):
        where["topic"] = part["topic"]
    elif part.get("method") or target:
        where["method"] = part.get("method") or str(target).rpartition(".")[2]
    has_change = False
    for key, side in (_PAYLOADS if "topic" in where else _SIDES).items():
        if key not in part:
            continue
        has_change = True
        steps = part[key]
        if not isinstance(steps, Mapping):
            raise Unreadable(f"{key} is {_clip(steps)}; it is an object with add, remove, rename, retype or optional")
        if unknown := sorted(set(steps) - {"add", "remove", "rename", "retype", "change", "modify", "optional"}):
            raise Unreadable(f"{key} takes no {', '.join(unknown)}; it takes add, remove, rename, retype, optional")
        yield from _convert_steps({**where, "side": side}, steps)
    if "body" in part:
        has_change = True
        yield {"op": "replace_body", **where, "body": part["body"]}
    if not has_change:
        raise Unreadable(
            f"a diff with {', '.join(map(str, part)) or 'nothing'} changes nothing that can be applied; "
            "write operations such as add_field or replace_body"
        )


def _convert_steps(place: dict[str, Any], steps: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for name, spec in _read_fields(steps.get("add")):
        fields = dict(spec) if isinstance(spec, Mapping) else {"type": spec}
        if unknown := sorted(set(fields) - {"type", "optional", "description", "default"}):
            raise Unreadable(f"add {name}: takes no {', '.join(unknown)}")
        yield {"op": "add_field", **place, "field": name, **fields}
    remove = steps.get("remove") or []
    for name in [remove] if isinstance(remove, str) else remove:
        yield {"op": "remove_field", **place, "field": name}
    for name, to in _read_fields(steps.get("rename")):
        yield {"op": "rename_field", **place, "field": name, "to": to}
    for key in ("retype", "change", "modify"):
        for name, spec in _read_fields(steps.get(key)):
            fields = dict(spec) if isinstance(spec, Mapping) else {"type": spec}
            if "type" in fields:
                yield {"op": "retype_field", **place, "field": name, "type": fields["type"]}
            if "optional" in fields:
                yield {"op": "set_optional", **place, "field": name, "optional": fields["optional"]}
    for name, optional in _read_fields(steps.get("optional")):
        yield {"op": "set_optional", **place, "field": name, "optional": optional}


def _read_fields(steps: Any) -> Iterable[tuple[str, Any]]:
    if steps is None:
        return ()
    if not isinstance(steps, Mapping):
        raise Unreadable(f"{_clip(steps)} is not an object of fields")
    return steps.items()


def _convert_code_change(part: Mapping[str, Any], author: str) -> dict[str, Any]:
    """Seed 002's `CodeChange`: modify, add or delete of a method, with old and new code."""
    owner, _, method = str(part.get("target") or part.get("method") or "").rpartition(".")
    place = {"node": part.get("node") or owner or author, "method": method}
    kind = part.get("change_type", "modify")
    code = part.get("new_code") or ""
    if not isinstance(code, str):
        raise Unreadable(f"new_code is {_clip(code)}; it is text")
    match kind:
        case "add":
            return {"op": "add_method", **place, "source": code}
        case "delete":
            return {"op": "delete_method", **place}
        case "modify":
            return {"op": "replace_body", **place, "body": code}
    raise Unreadable(f"change_type is {_clip(kind)}; use modify, add or delete")


# ------------------------------------------------------------------------------- evaluations, rulings, approvals


def read_evaluation(body: Mapping[str, Any], evaluator: str) -> dict[str, Any]:
    """One evaluation, canonical. A reject that brings a counter-proposal is a counter; an accept, a modification."""
    decision = _read_decision(body.get("decision"), Decision)
    counter = body.get("counter_proposal")
    read = read_proposal(counter, evaluator) if counter else None
    if read is None and decision in (Decision.COUNTER, Decision.ACCEPT_WITH_MODIFICATION):
        plain = "reject" if decision is Decision.COUNTER else "accept"
        raise Unreadable(f"{decision} comes with a counter_proposal; say {plain} where you have none")
    conditions = _read_names(body.get("conditions") or [], "conditions")
    if conditions and read is None and decision is Decision.ACCEPT:
        raise Unreadable(
            f"an accept holds for the proposal as it stands, and this one has a condition ({_clip(conditions[0])}): "
            "bring it as a counter_proposal with accept_with_modification or counter, or say reject and why"
        )
    if read is not None and decision is Decision.REJECT:
        decision = Decision.COUNTER
    if read is not None and decision is Decision.ACCEPT:
        decision = Decision.ACCEPT_WITH_MODIFICATION
    impact = body.get("impact_assessment")
    return {
        "decision": decision.value,
        "reasoning": _read_text(body, "reasoning", "reason", "rationale"),
        "confidence": _read_confidence(body),
        "concerns": _read_names(body.get("concerns") or [], "concerns"),
        "suggestions": _read_names(body.get("suggestions") or [], "suggestions"),
        "counter_proposal": read if decision is not Decision.DEFER else None,
        "impact_assessment": dict(impact) if isinstance(impact, Mapping) else None,
        **_read_notes(body),
    }


def read_ruling(body: Mapping[str, Any], proposals: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One ruling over one proposal, or over several that conflict (then it says which one stands)."""
    decision = _read_decision(body.get("decision"), Ruling)
    by_id = {p["proposal_id"]: p for p in proposals}
    chosen = body.get("proposal_id") or (next(iter(by_id)) if len(by_id) == 1 else None)
    if decision is not Ruling.REJECT and chosen not in by_id:
        raise Unreadable(f"proposal_id is {_clip(chosen)}; name the one that stands: {', '.join(by_id)}")
    diff: list[dict[str, Any]] = []
    if decision in (Ruling.ACCEPT_MODIFIED, Ruling.SPLIT):
        if not body.get("committed_diff"):
            raise Unreadable(f"{decision} comes with a committed_diff; say accept where nothing is to be changed")
        diff = read_diff(body["committed_diff"], by_id[chosen]["proposer"])
    later: list[dict[str, Any]] = []
    notes: list[str] = []
    deferred = body.get("deferred_proposals") or []
    if not isinstance(deferred, Sequence) or isinstance(deferred, str) or len(deferred) > MAX_PROPOSALS:
        raise Unreadable("deferred_proposals is a list")
    for part in deferred:
        if isinstance(part, str):
            notes.append(part[:MAX_TEXT])  # seed 000 defers by name: it has no diff yet, so its proposer is told
        else:
            later.append(
                read_proposal(part, by_id[chosen]["proposer"] if chosen in by_id else proposals[0]["proposer"])
            )
    return {
        "decision": decision.value,
        "ruling": _read_text(body, "ruling", "reasoning", "reason"),
        "proposal_id": chosen if decision is not Ruling.REJECT else None,
        "committed_diff": diff,
        "deferred": later,
        "notes": notes,
        **_read_notes(body),
    }


def read_approval(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a person says before a commit."""
    approve = body.get("approve")
    if not isinstance(approve, bool):
        raise Unreadable('answer with {"approve": true or false, "reason": "..."}')
    return {"approve": approve, "reason": _read_text(body, "reason", "reasoning")}


# ------------------------------------------------------------------------------------------------ small parts


def _read_notes(body: Mapping[str, Any]) -> dict[str, Any]:
    """What was made of slips in the answer's form, for the log; nothing where there were none."""
    notes = body.get("read_as")
    texts = [n[:200] for n in notes if isinstance(n, str)][:20] if isinstance(notes, list) else []
    return {"read_as": texts} if texts else {}


def _read_decision(value: Any, kinds: type[_Kind]) -> _Kind:
    word = value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value
    try:
        return kinds(word)
    except ValueError:
        raise Unreadable(f"decision is {_clip(value)}; use one of {', '.join(k.value for k in kinds)}") from None


def _read_text(body: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = body.get(name)
        if value is None:
            continue
        if not isinstance(value, str):
            raise Unreadable(f"{name} is {_clip(value)}; it is text")
        if len(value) > MAX_TEXT:
            raise Unreadable(f"{name} has {len(value)} characters; at most {MAX_TEXT} are read")
        return value
    return ""


def _take_first_line(text: str) -> str:
    line = text.strip().splitlines()[0] if text.strip() else ""
    return line if len(line) <= 120 else line[:117] + "..."


def _read_names(value: Any, what: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
        raise Unreadable(f"{what} is {_clip(value)}; it is a list of texts")
    if sum(map(len, value)) > MAX_TEXT:
        raise Unreadable(f"{what} is longer than {MAX_TEXT} characters")
    return list(dict.fromkeys(value))


def _read_confidence(body: Mapping[str, Any]) -> float:
    value = body.get("confidence", 0.5)
    if value is None:
        return 0.5
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Unreadable(f"confidence is {_clip(value)}; it is a number from 0 to 1")
    return float(value)


def _clip(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


# Questions of meaning: what an agent asks where it has no evidence, and how an answer to one is read.
#
# A candidate carries the proposal that it stands for, so an answer is a name and nothing else: whoever answers cannot
# bring in a change that was not shown.


MAX_QUESTIONS = 50  # of one answer
NONE_OF_THEM = "none"  # a choice: it is none of the candidates
CHOICE_INSTRUCTIONS = (
    "Two components exchange data. A field of one has no counterpart by that name in the other. Say which candidate "
    "is the same data, in meaning, unit and role. If none surely is, choose none: a wrong pairing is worse than a gap."
)


# The answer in a few words, and the question where it is the only answer. Logs of earlier versions have neither.
CANDIDATE_WORDS = ("label", "asks")


def read_questions(body: Mapping[str, Any], author: str) -> list[dict[str, Any]]:
    """The questions of an answer, canonical. Raises Unreadable."""
    questions = []
    for question in _read_list(body, "questions")[:MAX_QUESTIONS]:
        if not isinstance(question, Mapping) or not all(
            isinstance(question.get(k), str) for k in ("id", "link", "field", "text")
        ):
            raise Unreadable("a question has id, link, field, text and candidates")
        candidates = [
            {
                "name": str(c["name"]),
                "says": str(c.get("says", "")),
                **{k: str(c[k]) for k in CANDIDATE_WORDS if k in c},
                "proposal": read_proposal(c["proposal"], author),
            }
            for c in _read_list(question, "candidates")
            if isinstance(c, Mapping) and "name" in c and "proposal" in c
        ]
        questions.append(
            {**{k: question[k] for k in ("id", "link", "field", "text")}, "agent": author, "candidates": candidates}
        )
    return questions


def read_omissions(body: Mapping[str, Any]) -> list[dict[str, str]]:
    """Why nothing was proposed, field by field."""
    names = ("link", "field", "why")
    return [{k: str(gap.get(k, "")) for k in names} for gap in _read_list(body, "left") if isinstance(gap, Mapping)]


def read_choice(body: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    """`{"choice": name | "none" | null, "reason": …}`. Raises Unreadable for a name that was not a candidate's."""
    choice = body.get("choice")
    if choice is not None and choice != NONE_OF_THEM and choice not in names:
        raise Unreadable(f"choice is {str(choice)[:80]!r}; use one of {', '.join(names)}, or {NONE_OF_THEM}")
    return {"choice": choice, "reason": str(body.get("reason") or "")}


def build_answer_schema(names: list[str]) -> dict[str, Any]:
    """The JSON Schema of an answer."""
    return {
        "type": "object",
        "properties": {"choice": {"enum": [*names, NONE_OF_THEM]}, "reason": {"type": "string"}},
        "required": ["choice"],
    }


def _read_list(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body.get(name) or []
    if not isinstance(value, list | tuple):
        raise Unreadable(f"{name} is a list")
    return list(value)
