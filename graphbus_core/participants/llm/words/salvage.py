"""What a model plainly meant, where its form slipped: read as the one thing it can mean, and noted.

Every slip here has a single reading, so that asking again would only cost money: a trailing comma, Python's `None`,
prose around the object, `accepted` for `accept`. Whatever could be read in two ways stays refused, with its reason.
The notes travel with the answer under `read_as`, so that the log says what was written and what was made of it.
Nothing here repairs code, and nothing here guesses a value.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

READ_AS = "read_as"
MAX_OBJECTS = 200  # places where an object may begin that are tried in prose; a text has few
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_COMMA = re.compile(r",(\s*[}\]])")
_REMARK = re.compile(r"//[^\n]*(?=\n)|/\*.*?\*/", re.DOTALL)  # never one that holds a string: that may be a value
_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)")
_WORDS = {"None": "null", "True": "true", "False": "false"}
_WORD = re.compile(r"\b(None|True|False)\b")
_MENDS: tuple[tuple[Callable[[str], str], str], ...] = (
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


def loads(text: str, notes: list[str]) -> Any:
    """The value that `text` holds, also with slips that have one reading. Raises ValueError as `json.loads` does."""
    try:
        return _strict(text)
    except ValueError as refused:
        for repaired, what in _repairs(text):
            try:
                value = _strict(repaired)
            except ValueError:
                continue
            notes.append(what)
            return value
        value = _python(text)
        if value is None:
            raise refused
        notes.append("an object in Python's spelling was read as JSON")
        return value


def _strict(text: str) -> Any:
    return json.loads(text, strict=False, parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _repairs(text: str) -> Iterator[tuple[str, str]]:
    """The text with its slips mended outside of strings: one kind of slip alone, then all of them."""
    every, said = text, list[str]()
    for mend, what in _MENDS:
        if (alone := _outside_strings(text, mend)) != text:
            yield alone, what
        if (mended := _outside_strings(every, mend)) != every:
            every, said = mended, [*said, what]
    yield every, "; ".join(said)


def _outside_strings(text: str, mend: Any) -> str:
    """`text` with `mend` done to what stands between its JSON strings; the strings keep every character."""
    # A comma and the bracket behind it never have a string between them, so the parts can be mended one by one.
    made, end = [], 0
    for found in _STRING.finditer(text):
        made += [mend(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*made, mend(text[end:])])


def _python(text: str) -> dict[str, Any] | None:
    """A dict written as Python writes it (single quotes), if it holds nothing that JSON could not."""
    try:
        value = ast.literal_eval(text.strip())
        return json.loads(json.dumps(value, allow_nan=False)) if isinstance(value, dict) else None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def object_in(text: str) -> str | None:
    """The one JSON object that stands bare in prose; None where there is none, or more than one."""
    decoder, found, at = json.JSONDecoder(strict=False), [], 0
    for _ in range(MAX_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(value, dict) and value:
            found.append(text[at:end])
        at = end
    return found[0] if len(found) == 1 else None


def single(value: Any, notes: list[str]) -> Any:
    """An object, also out of an array that holds nothing but it."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        notes.append("an array of one object was read as that object")
        return value[0]
    return value


def word(value: str, allowed: Iterable[str], notes: list[str]) -> str:
    """The allowed word that `value` is a form of (`Accepted` for `accept`), else `value` as it is."""
    plain = re.sub(r"[\s-]+", "_", value.strip().lower()).strip("_.!")
    known = [str(a) for a in allowed if isinstance(a, str)]
    if plain in known:
        if plain != value:
            notes.append(f"{value[:40]!r} was read as {plain!r}")
        return plain
    head, _, rest = plain.partition("_")  # accepted_with_modification
    stems = {k for k in known for e in _ENDINGS if plain == k + e or (rest and k.startswith(f"{_stem(head, e)}_"))}
    stems = {k for k in stems if not rest or k.endswith(f"_{rest}") or k == plain}
    if len(stems) != 1:
        return plain
    made = stems.pop()
    notes.append(f"{value[:40]!r} was read as {made!r}")
    return made


def _stem(head: str, ending: str) -> str:
    return head[: -len(ending)] if head.endswith(ending) else head


def operations(body: Mapping[str, Any], known: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """`body` with the operations of its proposals in their own spelling, without what was only said about them."""

    def mended(value: Any, depth: int = 0) -> Any:
        if depth > 12:
            return value
        if isinstance(value, list):
            return [mended(v, depth + 1) for v in value]
        if not isinstance(value, dict):
            return value
        made = {k: mended(v, depth + 1) for k, v in value.items()}
        return _operation(made, known, notes) if isinstance(made.get("op"), str) else _texts(made, notes)

    return dict(mended(dict(body)))


def _operation(op: dict[str, Any], known: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    name = re.sub(r"[\s-]+", "_", op["op"].strip().lower())
    if name not in known:
        return op
    if name != op["op"]:
        notes.append(f"the operation {op['op'][:40]!r} was read as {name!r}")
    takes = known[name].__dataclass_fields__
    said = [k for k in op if k in _COMMENTARY and k not in takes]
    if said:
        notes.append(f"{name}: {', '.join(said)} was left out, which an operation does not take")
    if isinstance(op.get("side"), str) and op["side"].strip().lower() != op["side"]:
        op["side"] = op["side"].strip().lower()
        notes.append(f"{name}: side was read in lower case")
    if isinstance(op.get("default"), int | float):
        op["default"] = repr(op["default"])  # an expression is text; a bare number or truth can only mean itself
        notes.append(f"{name}: the default {op['default']} was read as text")
    return {"op": name, **{k: v for k, v in op.items() if k != "op" and k not in said}}


def _texts(made: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    for key in _TEXTS:
        value = made.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            made[key] = str(value)
            notes.append(f"{key} was a number and was read as text")
        elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            made[key] = "\n".join(value)
            notes.append(f"{key} was a list and was read as text")
    return made
