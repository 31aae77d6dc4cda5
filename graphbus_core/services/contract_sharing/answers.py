"""What a running service answered to the examples of a contract, as a file in git, so that a change of meaning is seen.

A service may take a payload and read it as something else: its types hold, and the invoice is wrong. So each example is
kept with its answer. Later the answer must still hold all of it; what is added to an answer is free. What differs
between two answers to one payload (a date, a number that counts) is not kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from graphbus_core.contracts import NOTHING
from graphbus_core.contracts.examples import generate_examples
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import is_same_json
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_sharing.evidence import Row, Surroundings, Terms, ask_service, wait_for_service
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.text import shorten

FILE = "contracts.answers.jsonl"
MAX_ANSWERS = 200
MAX_LINE_CHARS = 20_000


def record_answers(name: str, terms: Terms, url: str, around: Surroundings) -> int:
    """Send the examples of a contract to a service, and write what it answers. How many were kept. Raises
    ContractError, UsageError."""
    wait_for_service(url, around.hosts)
    lines = []
    for payload in generate_examples(Contract.from_json_schema(terms.schemas["producer"]), most=MAX_ANSWERS):
        answers = [_read_answer(url, payload, around) for _ in range(2)]
        kept = _keep_common(*answers)
        line = json.dumps({"contract": name, "payload": payload, "answer": kept if kept is not NOTHING else None})
        if kept is not NOTHING and len(line) <= MAX_LINE_CHARS:
            lines.append(line + "\n")
    if not lines:
        raise UsageError(f"{url} gives no JSON in its answers that stays the same. There is nothing to keep.")
    others = [json.dumps(entry) + "\n" for entry in _read_lines(around.folder / FILE) if entry["contract"] != name]
    write_atomic(around.folder / FILE, "".join([*others, *lines]).encode(), durable=True)
    return len(lines)


def judge_answers(name: str, terms: Terms, around: Surroundings) -> Iterator[Row]:
    """Hold what the services answer now against what was kept. Raises ContractError, UsageError."""
    entries = [entry for entry in _read_lines(around.folder / FILE) if entry["contract"] == name]
    may_be_sent = validator(Contract.from_json_schema(terms.schemas["producer"]), side="output").check
    entries = [entry for entry in entries if may_be_sent(entry["payload"]) is None]
    for url in around.services:
        if not entries:
            yield Row(
                "note",
                f"what {url} answers is not kept, so a change of meaning would not be seen: `graphbus contracts "
                f"record-answers {name} --against {url}`.",
            )
            continue
        for entry in entries:
            answer = _read_answer(url, entry["payload"], around)
            if (changed := _find_change(entry["answer"], answer, "the answer")) is not None:
                yield Row(
                    "breaks",
                    f"POST {url} answers another thing than in {FILE}: {changed}. If that is meant, "
                    "record the answers anew.",
                    entry["payload"],
                )
                break
        else:
            yield Row("holds", f"{url} answers {len(entries)} payloads of {terms.label} as in {FILE}.")


def find_other_reading(before: Sequence[Any], now: Sequence[Any], around: Surroundings) -> tuple[str, Any] | None:
    """The first test of the producer whose payload changed so that a service answers another thing, and the payload.

    Payloads are one a test, in their order; those that were added or taken out stand for nothing that was before."""
    was, is_now = ([json.dumps(payload, sort_keys=True) for payload in payloads] for payloads in (before, now))
    for tag, i, i_end, j, j_end in SequenceMatcher(None, was, is_now, autojunk=False).get_opcodes():
        if tag != "replace" or i_end - i != j_end - j:
            continue
        for old, new in zip(before[i:i_end], now[j:j_end], strict=True):
            for url in around.services:
                first, again, answer = (_read_answer(url, payload, around) for payload in (old, old, new))
                steady = _keep_common(first, again)
                if steady is NOTHING or answer is NOTHING:
                    continue
                if (changed := _find_change(steady, answer, "the answer")) is not None:
                    return changed, new
    return None


def _read_answer(url: str, payload: Any, around: Surroundings) -> Any:
    status, text = ask_service(url, payload, around.hosts)
    if not 200 <= status < 300:
        return NOTHING
    try:
        return json.loads(text)
    except ValueError:
        return NOTHING


def _read_lines(file: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines() if file.is_file() else (), 1):
        try:
            entry = json.loads(line)
            is_right = isinstance(entry["contract"], str) and {"payload", "answer"} <= entry.keys()
        except (ValueError, TypeError, KeyError, AttributeError):
            is_right = False
        if not is_right:
            raise ContractError(f"{file}, line {number}, holds no answer. Take it back from git, or record anew.")
        entries.append(entry)
    return entries


def _keep_common(one: Any, other: Any) -> Any:
    """What two answers have in common; NOTHING where that is nothing."""
    if isinstance(one, dict) and isinstance(other, dict):
        common = {key: _keep_common(value, other.get(key, NOTHING)) for key, value in one.items()}
        return {key: value for key, value in common.items() if value is not NOTHING} or NOTHING
    return one if is_same_json(one, other) else NOTHING


def _find_change(before: Any, now: Any, place: str) -> str | None:
    if isinstance(before, dict) and isinstance(now, dict):
        changes = (_find_change(value, now.get(key, NOTHING), f"{place}.{key}") for key, value in before.items())
        return next((change for change in changes if change is not None), None)
    if is_same_json(before, now):
        return None
    is_now = "is gone" if now is NOTHING else f"is {shorten(json.dumps(now), 200)}"
    return f"{place} was {shorten(json.dumps(before), 200)} and {is_now}"
