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
from graphbus_core.negotiation.core import make_unreadable
from graphbus_core.participants.llm import answer_repair

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


def parse_blocks(text: str) -> list[FencedBlock]:
    """The fenced blocks of a text, in order, by CommonMark's rule: a fence closes one no longer than itself."""
    fenced: list[FencedBlock] = []
    fence = info = ""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):  # not splitlines: code keeps its form feeds
        if not fence:
            if m := _OPEN.match(line):
                fence, info, lines = m[1], m[2], []
            continue
        bare = line.strip()
        if len(bare) >= len(fence) and bare == fence[0] * len(bare):
            fenced.append(FencedBlock(info, "\n".join(lines), True))
            fence = ""
        else:
            lines.append(line)
    if fence:
        fenced.append(FencedBlock(info, "\n".join(lines), False))
    return fenced


def read_answer(text: str, schema: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    """The answer's body, validated against `schema`, with referred blocks put in place; or an unreadable one.

    `finish` is why the model stopped, in pydantic-ai's words (`stop`, `length`, `content_filter` …).
    """

    def refuse(why: str) -> dict[str, Any]:
        return make_unreadable(why, text[:SAID_MAX])

    if finish == "content_filter":
        return refuse(
            "the model declined to answer; answer the question itself, or give the answer that proposes nothing"
        )
    if not text.strip():
        return refuse("the answer was empty; give one fenced block marked json")
    text = _move_fence(text)
    fenced = parse_blocks(text)
    notes: list[str] = []
    body = _read_json(text, fenced, schema.get("required"), notes)
    if finish == "length" or _is_cut_off(fenced, body, finish):
        return refuse(
            "the answer was cut off before its end; say the same in fewer words, with fewer or shorter bodies"
        )
    if isinstance(body, str):
        return refuse(body)
    try:
        body = _insert_code(body, fenced, notes)
    except RecursionError:
        return refuse("the json block is nested too deeply")
    if isinstance(body, str):
        return refuse(body)
    allowed = schema.get("properties", {}).get("decision", {}).get("enum")
    if allowed and isinstance(body.get("decision"), str):
        body["decision"] = answer_repair.match_word(body["decision"], allowed, notes)
    fault = _find_misfit(body, schema)
    if fault is not None:
        return refuse(fault)
    return {**body, answer_repair.READ_AS: notes} if notes else dict(body)


def _move_fence(text: str) -> str:
    """The text with its first fence at the beginning of a line: `Sure: ```json` opens a block, too."""
    position = text.find("```")
    inside = position > 0 and text.startswith("json", position + 3) and text[:position].rpartition("\n")[2].strip()
    return f"{text[:position]}\n{text[position:]}" if inside else text


def _insert_code(body: dict[str, Any], fenced: list[FencedBlock], notes: list[str]) -> dict[str, Any] | str:
    """The body with the blocks that it refers to put in place; a sentence where it refers to one that is not there."""
    beside = [b for b in fenced if b.language not in _JSON and (b.info or b.text.strip())]
    labels = {b.label: b.text for b in beside if b.label}
    body = answer_repair.repair_values(body, labels, notes)
    missing: list[str] = []
    filled = _fill_labels(body, labels, missing)
    if len(beside) == 1 and len(set(missing)) == 1:  # one block, one reference: they can only mean each other
        filled = _fill_labels(filled, {missing[0]: beside[0].text}, missing := [])
        notes.append("the only block of code was read as the one that the answer refers to")
    filled = answer_repair.repair_code(answer_repair.normalize_operations(filled, OPERATIONS, notes), notes)
    if missing:
        return f"the answer refers to @{missing[0]}, but no fenced block carries that label"
    return dict(filled)


def _find_misfit(body: dict[str, Any], schema: Mapping[str, Any]) -> str | None:
    """The first thing in the body that the question's schema does not allow, with its place."""
    errors = _build_validator(json.dumps(schema)).iter_errors(body)
    error = min(errors, key=lambda e: [str(p) for p in e.path], default=None)
    if error is None:
        return None
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
    return f"{where or 'the answer'}: {error.message[:300]}"


def _is_cut_off(fenced: list[FencedBlock], body: dict[str, Any] | str, finish: str | None) -> bool:
    """Whether a fence was never closed. Around a whole object it was only forgotten: no cut leaves JSON complete. So it
    was around code that is whole, where the model says itself that it had come to its end."""
    is_open = [b for b in fenced if not b.closed]
    ended = finish == "stop"
    return bool(is_open) and (
        isinstance(body, str)
        or any(b.language not in _JSON and b.info and not (ended and _is_whole(b)) for b in is_open)
    )


def _is_whole(block: FencedBlock) -> bool:
    """Whether a block of code is complete as Python; one of another language nobody can tell."""
    return block.language in ("python", "py") and answer_repair.is_complete(block.text)


def _read_json(text: str, fenced: list[FencedBlock], required: Any, notes: list[str]) -> dict[str, Any] | str:
    marked = [b.text for b in fenced if b.language in _JSON]
    if len(marked) > 1 and len({m.strip() for m in marked}) == 1:
        notes.append("the same json block twice was read once")
        marked = marked[:1]
    if len(marked) > 1:
        return f"there are {len(marked)} json blocks; give one answer in one block"
    # Without a block that is marked, models still answer: in a plain block, as the whole text, amid prose.
    marked = marked or _find_unmarked(text, fenced, notes)
    if len(marked) != 1:
        return "there is no json block; give the answer in one fenced block marked json"
    try:
        body = answer_repair.repair_answer(answer_repair.parse_json(marked[0], notes), required, notes)
        # A lone surrogate could not be stored; 1e999 is read as infinity, which no other reader of a log takes.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as e:
        return f"the json block is not JSON: {e}"
    except RecursionError:
        return "the json block is nested too deeply"
    return body if isinstance(body, dict) else f"the json block holds {type(body).__name__}, not an object"


def _find_unmarked(text: str, fenced: list[FencedBlock], notes: list[str]) -> list[str]:
    marked = [b.text for b in fenced if not b.info and b.text.lstrip().startswith("{")]
    if not marked and text.strip().startswith(("{", "[")) and not fenced:
        marked = [text]
    if marked and _is_json(marked[0]):
        return marked
    bare = answer_repair.find_object(_remove_blocks(text, fenced))
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


def _remove_blocks(text: str, fenced: list[FencedBlock]) -> str:
    """The text without its fenced blocks: where prose and a bare object stand."""
    for block in fenced:
        text = text.replace(block.text, "", 1) if block.text else text
    return text


def _fill_labels(value: Any, labels: Mapping[str, str], missing: list[str]) -> Any:
    """`value` with every `@label` replaced by that block; only where code or long text stands."""
    if isinstance(value, list):
        return [_fill_labels(v, labels, missing) for v in value]
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
        filled[key] = _fill_labels(inner, labels, missing)
    return filled


_CODE = ("body", "source", "old", "new", "new_code", "text", "final", "analysis", "decision")


@lru_cache(maxsize=64)
def _build_validator(schema: str) -> Any:
    import jsonschema  # only once somebody has answered: a build with the rules loads this file too

    return jsonschema.Draft202012Validator(json.loads(schema))
