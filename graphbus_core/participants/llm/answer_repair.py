"""What a model plainly meant, where its form slipped: read as the one thing it can mean, and noted.

Every slip here has a single reading, so that asking again would only cost money: a trailing comma, Python's `None`,
prose around the object, `accepted` for `accept`. Whatever could be read in two ways stays refused, with its reason.
The notes travel with the answer under `read_as`, so that the log says what was written and what was made of it.
Nothing here repairs code, and nothing here guesses a value.
"""

from __future__ import annotations

import ast
import html
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from graphbus_core.model.operation import OPERATIONS
from graphbus_core.negotiation.proposal.vocabulary import ProposalType

# Code as it was meant: the marks that a model copied around it are taken off, where it is not Python with them.
#
# Code that parses is never touched. A mend counts only where the text parses afterwards, so line numbers, a diff's `+`,
# curly quotes or an indentation that the first line lacks have one reading. No name and no value changes.


_PYTHON_STRING = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_ODD_SPACES = re.compile(_PYTHON_STRING + "|([\u00a0\u202f\u3000])|([\u200b\u200c\u200d\u2060\ufeff])")
_QUOTES = re.compile(_PYTHON_STRING + "|([“”„])|([‘’])")
_NUMBERED = re.compile(r"[ \t]*(\d+)[ \t]*[:|→][ \t]?")
_FENCED = re.compile(r"\s*(`{3,}|~{3,})[^\n]*\n(.*?)\n?[ \t]*\1\s*", re.DOTALL)
CODE_DEPTH_MAX = 12


def is_complete(text: str) -> bool:
    """Whether the text is complete as Python: as a file, or as the body of a method."""
    plain = textwrap.dedent(text)
    for probe in (plain, "async def _():\n" + textwrap.indent(plain, "    ")):
        try:
            ast.parse(probe)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return True
    return False


def repair_code(value: Any, notes: list[str], depth: int = 0) -> Any:
    """`value` with the code of its operations without what stands around it; each mend is noted."""
    if depth > CODE_DEPTH_MAX:
        return value
    if isinstance(value, list):
        return [repair_code(item, notes, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    repaired = {key: repair_code(inner, notes, depth + 1) for key, inner in value.items()}
    for key in ("body", "source", "new_code"):
        if isinstance(repaired.get(key), str):
            repaired[key] = _repair_text(repaired[key], key, notes)
    return repaired


def _repair_text(text: str, key: str, notes: list[str]) -> str:
    if not text.strip() or is_complete(text):
        return text
    for mend, what in _CODE_REPAIRS:
        repaired = mend(text)
        if repaired is not None and repaired != text and is_complete(repaired):
            notes.append(f"{key}: {what}")
            return repaired
    return text


def _strip_fence(text: str) -> str | None:
    match = _FENCED.fullmatch(text)
    return match[2] if match else None


def _replace_odd_spaces(text: str) -> str:
    return _ODD_SPACES.sub(lambda m: m[1] or (" " if m[2] else ""), text)


def _replace_curly_quotes(text: str) -> str:
    return _QUOTES.sub(lambda m: m[1] or ('"' if m[2] else "'"), text)


def _move_to_margin(text: str) -> str:
    """The first line stands at the margin, as after an opening quote; the others stand where they did in the file."""
    first, _, rest = text.strip("\n").partition("\n")
    return f"{first.strip()}\n{textwrap.dedent(rest)}"


def _strip_line_numbers(text: str) -> str | None:
    lines = text.strip("\n").split("\n")
    matches = [_NUMBERED.match(line) for line in lines]
    numbers = [int(m[1]) for m in matches if m]
    if len(numbers) != len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return None
    return "\n".join(line[m.end() :] for line, m in zip(lines, matches, strict=True) if m)


def _make_mark_stripper(*marks: str) -> Callable[[str], str | None]:
    """Takes the same kind of mark off every line, or does nothing."""

    def strip_marks(text: str) -> str | None:
        lines = [line for line in text.split("\n") if line.strip()]
        if not all(line.lstrip().startswith(marks) for line in lines):
            return None
        marked = [(line, next(m for m in marks if line.lstrip().startswith(m))) for line in lines]
        return "\n".join(line.lstrip().removeprefix(mark).removeprefix(" " * (mark != "+")) for line, mark in marked)

    return strip_marks


def _expand_escapes(text: str) -> str | None:
    return text.replace("\\n", "\n").replace("\\t", "\t") if "\n" not in text.strip() else None


_CODE_REPAIRS: tuple[tuple[Callable[[str], str | None], str], ...] = (
    (_strip_fence, "the fence around the code was taken off"),
    (_replace_odd_spaces, "spaces that only look like spaces were read as spaces"),
    (_replace_curly_quotes, "curly quotes were read as quotes"),
    (_move_to_margin, "the lines after the first were moved to the margin"),
    (_strip_line_numbers, "line numbers were taken off"),
    (_make_mark_stripper("+"), "a diff's plus signs were taken off"),
    (_make_mark_stripper(">>>", "..."), "a console's prompts were taken off"),
    (_expand_escapes, "\\n was read as the end of a line"),
    (html.unescape, "HTML's spelling was read as plain text"),
)


READ_AS = "read_as"
MAX_OBJECTS = 200  # places where an object may begin that are tried in prose; a text has few
_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_COMMA = re.compile(r",(\s*[}\]])")
_REMARK = re.compile(r"//[^\n]*(?=\n)|/\*.*?\*/", re.DOTALL)  # never one that holds a string: that may be a value
_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)")
_WORDS = {"None": "null", "True": "true", "False": "false"}
_WORD = re.compile(r"\b(None|True|False)\b")
_JSON_REPAIRS: tuple[tuple[Callable[[str], str], str], ...] = (
    (lambda part: _REMARK.sub("", part), "comments were left out"),
    (lambda part: _WORD.sub(lambda m: _WORDS[m[0]], part), "None, True or False was read as null, true or false"),
    (lambda part: _KEY.sub(r'\1"\2"\3', part), "keys without quotes were read as keys"),
    (lambda part: _COMMA.sub(r"\1", part), "a trailing comma was dropped"),  # last: a comment may stand behind one
)
_ENDINGS = ("ed", "s", "ing", "d", "red")  # accepted, accepts, rejecting, deferred
# Said about an operation, never part of it: dropping them changes nothing that is applied.
_COMMENTARY = frozenset(
    {"reason", "reasoning", "rationale", "comment", "note", "notes", "explanation", "summary", "why"}
)
_TEXTS = ("summary", "title", "rationale", "reason", "reasoning", "intent", "ruling")


def parse_json(text: str, notes: list[str]) -> Any:
    """The value that `text` holds, also with slips that have one reading. Raises ValueError as `json.loads` does."""
    try:
        return _parse_strict(text)
    except ValueError as refused:
        for repaired, what in _list_repairs(text):
            try:
                value = _parse_strict(repaired)
            except ValueError:
                continue
            notes.append(what)
            return value
        value = _parse_python(text)
        if value is None:
            raise refused
        notes.append("an object in Python's spelling was read as JSON")
        return value


def _parse_strict(text: str) -> Any:
    return json.loads(text, strict=False, parse_constant=_reject_constant)


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _list_repairs(text: str) -> Iterator[tuple[str, str]]:
    """The text with its slips mended outside of strings: one kind of slip alone, then all of them."""
    combined, done_repairs = text, list[str]()
    for mend, what in _JSON_REPAIRS:
        if (alone := _repair_outside_strings(text, mend)) != text:
            yield alone, what
        if (mended := _repair_outside_strings(combined, mend)) != combined:
            combined, done_repairs = mended, [*done_repairs, what]
    yield combined, "; ".join(done_repairs)


def _repair_outside_strings(text: str, mend: Any) -> str:
    """`text` with `mend` done to what stands between its JSON strings; the strings keep every character."""
    # A comma and the bracket behind it never have a string between them, so the parts can be mended one by one.
    pieces, end = [], 0
    for match in _JSON_STRING.finditer(text):
        pieces += [mend(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*pieces, mend(text[end:])])


def _parse_python(text: str) -> dict[str, Any] | None:
    """A dict written as Python writes it (single quotes), if it holds nothing that JSON could not."""
    try:
        value = ast.literal_eval(text.strip())
        return json.loads(json.dumps(value, allow_nan=False)) if isinstance(value, dict) else None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def find_object(text: str) -> str | None:
    """The one JSON object that stands bare in prose; None where there is none, or more than one."""
    decoder, objects, position = json.JSONDecoder(strict=False), [], 0
    for _ in range(MAX_OBJECTS):
        position = text.find("{", position)
        if position < 0:
            break
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        if isinstance(value, dict) and value:
            objects.append(text[position:end])
        position = end
    return objects[0] if len(objects) == 1 else None


def unwrap_single(value: Any, notes: list[str]) -> Any:
    """An object, also out of an array that holds nothing but it."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        notes.append("an array of one object was read as that object")
        return value[0]
    return value


def match_word(value: str, allowed: Iterable[str], notes: list[str]) -> str:
    """The allowed word that `value` is a form of (`Accepted` for `accept`), else `value` as it is."""
    plain = re.sub(r"[\s-]+", "_", value.strip().lower()).strip("_.!")
    choices = [str(a) for a in allowed if isinstance(a, str)]
    if plain in choices:
        if plain != value:
            notes.append(f"{value[:40]!r} was read as {plain!r}")
        return plain
    head, _, rest = plain.partition("_")  # accepted_with_modification
    stems = {
        k for k in choices for e in _ENDINGS if plain == k + e or (rest and k.startswith(f"{_strip_ending(head, e)}_"))
    }
    stems = {k for k in stems if not rest or k.endswith(f"_{rest}") or k == plain}
    if len(stems) != 1:
        return plain
    matched = stems.pop()
    notes.append(f"{value[:40]!r} was read as {matched!r}")
    return matched


def _strip_ending(head: str, ending: str) -> str:
    return head[: -len(ending)] if head.endswith(ending) else head


def normalize_operations(
    body: Mapping[str, Any], operation_types: Mapping[str, Any], notes: list[str]
) -> dict[str, Any]:
    """`body` with the operations of its proposals in their own spelling, without what was only said about them."""

    def normalize(value: Any, depth: int = 0) -> Any:
        if depth > 12:
            return value
        if isinstance(value, list):
            return [normalize(v, depth + 1) for v in value]
        if not isinstance(value, dict):
            return value
        mapping = {k: normalize(v, depth + 1) for k, v in value.items()}
        return (
            _normalize_operation(mapping, operation_types, notes)
            if isinstance(mapping.get("op"), str)
            else _normalize_texts(mapping, notes)
        )

    return dict(normalize(dict(body)))


def _normalize_operation(op: dict[str, Any], operation_types: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    name = re.sub(r"[\s-]+", "_", op["op"].strip().lower())
    if name not in operation_types:
        return op
    if name != op["op"]:
        notes.append(f"the operation {op['op'][:40]!r} was read as {name!r}")
    takes = operation_types[name].__dataclass_fields__
    commentary = [k for k in op if k in _COMMENTARY and k not in takes]
    if commentary:
        notes.append(f"{name}: {', '.join(commentary)} was left out, which an operation does not take")
    if isinstance(op.get("side"), str) and op["side"].strip().lower() != op["side"]:
        op["side"] = op["side"].strip().lower()
        notes.append(f"{name}: side was read in lower case")
    if isinstance(op.get("default"), int | float):
        op["default"] = repr(op["default"])  # an expression is text; a bare number or truth can only mean itself
        notes.append(f"{name}: the default {op['default']} was read as text")
    return {"op": name, **{k: v for k, v in op.items() if k != "op" and k not in commentary}}


def _normalize_texts(mapping: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    for key in _TEXTS:
        value = mapping.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            mapping[key] = str(value)
            notes.append(f"{key} was a number and was read as text")
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            mapping[key] = "\n".join(value)
            notes.append(f"{key} was a list and was read as text")
    return mapping


# The shape of a proposal as it was meant: where an answer holds one in another wrapping, or a value in another form.
#
# Like `salvage`, it takes only what has a single reading, and notes each thing that it read. A number above 1 as a
# confidence can only be per cent; `Cleaner.clean` as the method of the node Cleaner can only be `clean`.


TYPES = tuple(t.value for t in ProposalType)
DEPTH_MAX = 12
_WRAPPINGS = frozenset({"answer", "result", "response", "output", "data", "proposal"})
_DIFFS = frozenset({"changes", "operations", "edits"})
# As models call them from habit; only where the operation has no such key itself.
_OTHER_KEYS = {"class": "node", "class_name": "node", "agent": "node", "new_body": "body", "new_code": "body"}
_OTHER_KEYS |= {"code": "body", "content": "source"}
_DEF = re.compile(r"^(async\s+)?def\s+")
_CALL = re.compile(r"([\w.]+)\s*\(.*\)")


def repair_answer(body: Any, required: Any, notes: list[str]) -> Any:
    """The answer to a question that asks for proposals, out of the list or the one proposal that was given instead."""
    body = _unwrap(body, required or (), notes)
    if "proposals" not in (required or ()):
        return unwrap_single(body, notes)
    if isinstance(body, list) and all(isinstance(proposal, dict) and "diff" in proposal for proposal in body):
        notes.append("a list of proposals was read as the answer")
        return {"proposals": body}
    body = unwrap_single(body, notes)
    if isinstance(body, dict) and "proposals" not in body and "diff" in body:
        notes.append("a proposal alone was read as the answer")
        return {"proposals": [body]}
    if isinstance(body, dict) and isinstance(body.get("proposals"), dict):
        notes.append("one proposal was read as a list of one")
        return {**body, "proposals": [body["proposals"]]}
    return body


def _unwrap(body: Any, required: Collection[str], notes: list[str]) -> Any:
    """What stands under the one key of an answer that only wraps it; `proposal` alone for `proposals`."""
    if not isinstance(body, dict) or len(body) != 1 or (key := next(iter(body))) in required:
        return body
    inner = body[key]
    if key not in _WRAPPINGS or not isinstance(inner, dict) or not ("diff" in inner or set(required) <= set(inner)):
        return body
    notes.append(f"what stood under {key} was read as the answer")
    return inner


def repair_values(value: Any, labels: Mapping[str, str], notes: list[str], depth: int = 0) -> Any:
    """`value` with what proposals and operations hold in the form that the negotiation reads."""
    if depth > DEPTH_MAX:
        return value
    if isinstance(value, list):
        return [repair_values(item, labels, notes, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    repaired = {key: repair_values(inner, labels, notes, depth + 1) for key, inner in value.items()}
    if repaired.get("diff") is None and "op" not in repaired:
        for key in _DIFFS & set(repaired):
            if (
                isinstance(repaired[key], list)
                and repaired[key]
                and all(isinstance(o, dict) and "op" in o for o in repaired[key])
            ):
                repaired["diff"] = repaired.pop(key)
                notes.append(f"{key} was read as the diff")
    if "diff" in repaired:
        _repair_proposal(repaired, notes)
    if "op" in repaired:
        _repair_operation(repaired, labels, notes)
    return repaired


def _repair_proposal(proposal: dict[str, Any], notes: list[str]) -> None:
    _repair_confidence(proposal, notes)
    priority = _parse_number(proposal.get("priority"))
    if isinstance(proposal.get("priority"), str) and priority is not None and priority == int(priority):
        notes.append(f"the priority {proposal['priority']!r} was read as a number")
        proposal["priority"] = int(priority)
    for key in ("affected_agents", "dependencies"):
        _repair_names(proposal, key, notes)
    if isinstance(proposal.get("type"), str) and proposal["type"] not in TYPES:
        proposal["type"] = match_word(proposal["type"], TYPES, notes)
        if proposal["type"] not in TYPES:  # a label, computed where it matters; leaving it out is allowed
            notes.append(f"the type {proposal.pop('type')[:40]!r} is not a known one and was left out")


def _repair_confidence(proposal: dict[str, Any], notes: list[str]) -> None:
    confidence = _parse_number(proposal.get("confidence"))
    if confidence is not None and 1 < confidence <= 100:
        confidence /= 100
    if confidence is None and isinstance(proposal.get("confidence"), str):
        notes.append(f"the confidence {proposal.pop('confidence')[:40]!r} is not a number and was left out")
    if confidence is not None and confidence != proposal["confidence"]:
        notes.append(f"the confidence {proposal['confidence']!r} was read as {confidence:g}")
        proposal["confidence"] = confidence


def _repair_names(proposal: dict[str, Any], key: str, notes: list[str]) -> None:
    if isinstance(proposal.get(key), str):
        proposal[key] = [name.strip() for name in proposal[key].split(",") if name.strip()]
        notes.append(f"{key} was a text and was read as a list")
    elif isinstance(proposal.get(key), list) and all(isinstance(o, dict) and set(o) == {"name"} for o in proposal[key]):
        proposal[key] = [entry["name"] for entry in proposal[key]]
        notes.append(f"{key}: the objects were read as their names")


def _parse_number(value: Any) -> float | None:
    """A number, also one that was written as a text; per cent signs are left to whoever reads the value."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(str(value).strip().removesuffix("%"))
    except ValueError:
        return None


def _repair_operation(op: dict[str, Any], labels: Mapping[str, str], notes: list[str]) -> None:
    if isinstance(op["op"], str) and (snake := re.sub(r"(?<=[a-z])(?=[A-Z])", "_", op["op"])) != op["op"]:
        op["op"] = snake  # what it is read as, `salvage.operations` notes
    cls = OPERATIONS.get(re.sub(r"[\s-]+", "_", str(op["op"]).strip().lower()))
    takes = cls.__dataclass_fields__ if cls else {}
    for key, other in _OTHER_KEYS.items():
        if key in op and key not in takes and other in takes and op.get(other) is None:
            op[other] = op.pop(key)
            notes.append(f"{key} was read as {other}")
    for key in ("body", "source"):
        if isinstance(op.get(key), list) and all(isinstance(line, str) for line in op[key]):
            op[key] = "\n".join(op[key])
            notes.append(f"{key} was a list of lines and was read as text")
    if isinstance(op.get("method"), str):
        _repair_method(op, op["method"], notes)
    for key in ("body", "source"):
        if isinstance(op.get(key), str) and op[key].strip() in labels:
            notes.append(f"{key}: the label {op[key].strip()!r} was read as the block that carries it")
            op[key] = labels[op[key].strip()]


def _repair_method(op: dict[str, Any], method: str, notes: list[str]) -> None:
    """The name alone, where a method was given as `def name(self)` or `Node.name`; the node too, where it was not."""
    plain = _DEF.sub("", method.strip())
    plain = m[1] if (m := _CALL.fullmatch(plain)) else plain
    if isinstance(node := op.get("node"), str):
        plain = plain.removeprefix(f"{node}.")
    elif "." in plain:
        op["node"], _, plain = plain.rpartition(".")
    if plain != method:
        notes.append(f"the method {method[:60]!r} was read as {plain!r}")
        op["method"] = plain
