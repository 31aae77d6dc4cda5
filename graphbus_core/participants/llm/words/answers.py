"""Reading what a model wrote: one fenced JSON block with the typed answer, and fenced text for code (design §7).

Code does not travel inside JSON, where models write it worse: JSON refers to a labelled block as `"@label"`. What
cannot be read becomes an unreadable body with the reason, which the session refuses and hands back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphbus_core.model.operation import OPERATIONS
from graphbus_core.negotiation.core import unreadable
from graphbus_core.participants.llm.words import code, meant, salvage

_OPEN = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]*?)[ \t]*$")
_JSON = ("json", "json5", "jsonc")
SAID_MAX = 600  # characters of an unreadable answer that are kept


@dataclass(frozen=True)
class FencedBlock:
    """One fenced block: the words after the fence, and the text."""

    info: str
    text: str
    closed: bool

    @property
    def language(self) -> str:
        """The first word after the fence, lower case."""
        return self.info.split()[0].lower() if self.info.split() else ""

    @property
    def label(self) -> str:
        """The last word after the fence."""
        return self.info.split()[-1].lstrip("@") if self.info.split() else ""


def blocks(text: str) -> list[FencedBlock]:
    """The fenced blocks of a text, in order, by CommonMark's rule: a fence closes one no longer than itself."""
    found: list[FencedBlock] = []
    fence = info = ""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):  # not splitlines: code keeps its form feeds
        if not fence:
            if m := _OPEN.match(line):
                fence, info, lines = m[1], m[2], []
            continue
        bare = line.strip()
        if len(bare) >= len(fence) and bare == fence[0] * len(bare):
            found.append(FencedBlock(info, "\n".join(lines), True))
            fence = ""
        else:
            lines.append(line)
    if fence:
        found.append(FencedBlock(info, "\n".join(lines), False))
    return found


def read(text: str, schema: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    """The answer's body, validated against `schema`, with referred blocks put in place; or an unreadable one.

    `finish` is why the model stopped, in pydantic-ai's words (`stop`, `length`, `content_filter` …).
    """

    def no(why: str) -> dict[str, Any]:
        return unreadable(why, text[:SAID_MAX])

    if finish == "content_filter":
        return no("the model declined to answer; answer the question itself, or give the answer that proposes nothing")
    if not text.strip():
        return no("the answer was empty; give one fenced block marked json")
    text = _on_its_own_line(text)
    found = blocks(text)
    notes: list[str] = []
    body = _json(text, found, schema.get("required"), notes)
    if finish == "length" or _cut_off(found, body, finish):
        return no("the answer was cut off before its end; say the same in fewer words, with fewer or shorter bodies")
    if isinstance(body, str):
        return no(body)
    try:
        body = _with_code(body, found, notes)
    except RecursionError:
        return no("the json block is nested too deeply")
    if isinstance(body, str):
        return no(body)
    allowed = schema.get("properties", {}).get("decision", {}).get("enum")
    if allowed and isinstance(body.get("decision"), str):
        body["decision"] = salvage.word(body["decision"], allowed, notes)
    fault = _misfit(body, schema)
    if fault is not None:
        return no(fault)
    return {**body, salvage.READ_AS: notes} if notes else dict(body)


def _on_its_own_line(text: str) -> str:
    """The text with its first fence at the beginning of a line: `Sure: ```json` opens a block, too."""
    at = text.find("```")
    inside = at > 0 and text.startswith("json", at + 3) and text[:at].rpartition("\n")[2].strip()
    return f"{text[:at]}\n{text[at:]}" if inside else text


def _with_code(body: dict[str, Any], found: list[FencedBlock], notes: list[str]) -> dict[str, Any] | str:
    """The body with the blocks that it refers to put in place; a sentence where it refers to one that is not there."""
    beside = [b for b in found if b.language not in _JSON and (b.info or b.text.strip())]
    labels = {b.label: b.text for b in beside if b.label}
    body = meant.values(body, labels, notes)
    missing: list[str] = []
    filled = _filled(body, labels, missing)
    if len(beside) == 1 and len(set(missing)) == 1:  # one block, one reference: they can only mean each other
        filled = _filled(filled, {missing[0]: beside[0].text}, missing := [])
        notes.append("the only block of code was read as the one that the answer refers to")
    filled = code.as_meant(salvage.operations(filled, OPERATIONS, notes), notes)
    if missing:
        return f"the answer refers to @{missing[0]}, but no fenced block carries that label"
    return dict(filled)


def _misfit(body: dict[str, Any], schema: Mapping[str, Any]) -> str | None:
    """The first thing in the body that the question's schema does not allow, with its place."""
    errors = _validator(json.dumps(schema)).iter_errors(body)
    error = min(errors, key=lambda e: [str(p) for p in e.path], default=None)
    if error is None:
        return None
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
    return f"{where or 'the answer'}: {error.message[:300]}"


def _cut_off(found: list[FencedBlock], body: dict[str, Any] | str, finish: str | None) -> bool:
    """Whether a fence was never closed. Around a whole object it was only forgotten: no cut leaves JSON complete. So it
    was around code that is whole, where the model says itself that it had come to its end."""
    is_open = [b for b in found if not b.closed]
    ended = finish == "stop"
    return bool(is_open) and (
        isinstance(body, str)
        or any(b.language not in _JSON and b.info and not (ended and _is_whole(b)) for b in is_open)
    )


def _is_whole(block: FencedBlock) -> bool:
    """Whether a block of code is complete as Python; one of another language nobody can tell."""
    return block.language in ("python", "py") and code.whole(block.text)


def _json(text: str, found: list[FencedBlock], required: Any, notes: list[str]) -> dict[str, Any] | str:
    marked = [b.text for b in found if b.language in _JSON]
    if len(marked) > 1 and len({m.strip() for m in marked}) == 1:
        notes.append("the same json block twice was read once")
        marked = marked[:1]
    if len(marked) > 1:
        return f"there are {len(marked)} json blocks; give one answer in one block"
    # Without a block that is marked, models still answer: in a plain block, as the whole text, amid prose.
    marked = marked or _unmarked(text, found, notes)
    if len(marked) != 1:
        return "there is no json block; give the answer in one fenced block marked json"
    try:
        body = meant.answer(salvage.loads(marked[0], notes), required, notes)
        # A lone surrogate could not be stored; 1e999 is read as infinity, which no other reader of a log takes.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as e:
        return f"the json block is not JSON: {e}"
    except RecursionError:
        return "the json block is nested too deeply"
    return body if isinstance(body, dict) else f"the json block holds {type(body).__name__}, not an object"


def _unmarked(text: str, found: list[FencedBlock], notes: list[str]) -> list[str]:
    marked = [b.text for b in found if not b.info and b.text.lstrip().startswith("{")]
    if not marked and text.strip().startswith(("{", "[")) and not found:
        marked = [text]
    if marked and _is_json(marked[0]):
        return marked
    bare = salvage.object_in(_outside(text, found))
    if bare is None:
        return marked
    notes.extend(["the object in the prose was read as the answer"] if bare != text.strip() else [])
    return [bare]


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _outside(text: str, found: list[FencedBlock]) -> str:
    """The text without its fenced blocks: where prose and a bare object stand."""
    for block in found:
        text = text.replace(block.text, "", 1) if block.text else text
    return text


def _filled(value: Any, labels: Mapping[str, str], missing: list[str]) -> Any:
    """`value` with every `@label` replaced by that block; only where code or long text stands."""
    if isinstance(value, list):
        return [_filled(v, labels, missing) for v in value]
    if not isinstance(value, dict):
        return value
    filled = {}
    for key, inner in value.items():
        if key in _CODE and isinstance(inner, str) and re.fullmatch(r"@[\w.:-]+", inner.strip()):
            label = inner.strip()[1:]
            if label in labels:
                inner = labels[label]
            else:
                missing.append(label)
        filled[key] = _filled(inner, labels, missing)
    return filled


_CODE = ("body", "source", "old", "new", "new_code", "text", "final", "analysis", "decision")


@lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    import jsonschema  # only once somebody has answered: a build with the rules loads this file too

    return jsonschema.Draft202012Validator(json.loads(schema))
