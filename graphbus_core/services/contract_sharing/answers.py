"""What a running service answered to the examples of a contract, as a file in git, so that a change of meaning is seen.

A service may take a payload and read it as something else: its types hold, and the invoice is wrong. So each example is
kept with its answer. Later the answer must still hold all of it; what is added to an answer is free. What differs
between two answers to one payload (a date, a number that counts) is not kept. What readers of JSON count differently
may be refused; that it was is kept, so that nothing else comes to be refused unseen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial
from math import isclose
from pathlib import Path
from typing import Any

from graphbus_core.contracts import NOTHING
from graphbus_core.contracts.example_values import LAST_EXACT, is_portable
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import is_number, is_same_json
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_sharing.evidence import (
    MAX_SENT,
    Row,
    Surroundings,
    Terms,
    ask_in_turn,
    ask_service,
    explain_refusal,
    generate_sent,
    wait_for_service,
)
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.text import format_count, shorten

FILE = "contracts.answers.jsonl"
MAX_LINE_CHARS = 5_000  # of most lines; the file is for git
_PRECISION = 1e-13
_ROUNDED = 2.0**-50  # what a few steps with doubles lose: less than 1 of an integer below 2**50
MAX_LONG_LINES, MAX_LONG_LINE_CHARS = 12, 100_000  # long lists and texts are some of the examples


def record_answers(name: str, terms: Terms, url: str, around: Surroundings) -> int:
    """Send the examples of a contract to a service, and write what it answers. How many were kept. Raises
    ContractError, UsageError."""
    wait_for_service(url, around.hosts)
    lines = []
    for payload in generate_sent(terms):
        answers = [_read_answer(url, payload, around) for _ in range(2)]
        kept = keep_common(*answers)
        entry = {"contract": name, "payload": payload, "answer": kept if kept is not NOTHING else None}
        if kept is NOTHING and explain_refusal(url, payload, around.hosts) and not is_portable(payload):
            entry["refused"] = True
        if kept is not NOTHING or "refused" in entry:
            lines.append(json.dumps(entry) + "\n")
    long = [line for line in lines if len(line) > MAX_LINE_CHARS]
    left_out = set(long[MAX_LONG_LINES:]) | {line for line in long if len(line) > MAX_LONG_LINE_CHARS}
    lines = [line for line in lines if line not in left_out]
    if not any('"refused"' not in line for line in lines):
        raise UsageError(f"{url} gives no JSON in its answers that stays the same. There is nothing to keep.")
    others = [json.dumps(entry) + "\n" for entry in _read_lines(around.folder / FILE) if entry["contract"] != name]
    write_atomic(around.folder / FILE, "".join([*others, *lines]).encode(), durable=True)
    return len(lines)


def judge_answers(name: str, terms: Terms, around: Surroundings) -> Iterator[Row]:
    """Hold what the services answer now against what was kept. Raises ContractError, UsageError."""
    entries = [e for e in _read_lines(around.folder / FILE) if e["contract"] == name and not e.get("refused")]
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
        payloads = [entry["payload"] for entry in entries]
        rounded: list[tuple[Any, Any]] = []
        asked = ask_in_turn(url, payloads, partial(_read_answer, url, around=around))
        for entry, (_, answer) in zip(entries, asked, strict=True):
            if (changed := find_change(entry["answer"], answer, "the answer")) is not None:
                yield Row(
                    "breaks",
                    f"POST {url} answers another thing than in {FILE}: {changed}. If that is meant, "
                    "record the answers anew.",
                    entry["payload"],
                )
                break
            rounded += [(n, entry["payload"]) for n in find_beyond_doubles(entry["answer"], answer)[:1]]
        else:
            yield from tell_beyond_doubles(url, rounded)
            yield Row("holds", f"{url} answers {format_count(len(entries), 'payload')} of {terms.label} as in {FILE}.")


def read_refused(name: str, folder: Path) -> frozenset[str]:
    """The payloads, as JSON, that the services of a contract were seen to refuse. Raises ContractError."""
    entries = [entry for entry in _read_lines(folder / FILE) if entry["contract"] == name and entry.get("refused")]
    return frozenset(json.dumps(entry["payload"], sort_keys=True) for entry in entries)


def read_answers(name: str, data: bytes, where: str) -> list[tuple[Any, Any]]:
    """The payloads of a contract in a file of answers, each with what was answered. Raises ContractError."""
    entries = [e for e in _parse_lines(data, where) if e["contract"] == name and not e.get("refused")]
    return [(entry["payload"], entry["answer"]) for entry in entries[:MAX_SENT]]


def pair_recorded(before: Sequence[Any], now: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The payloads that stand for the same test of the producer, and changed.

    Payloads are one a test, in their order; those that were added or taken out stand for nothing that was before."""
    was, is_now = ([json.dumps(payload, sort_keys=True) for payload in payloads] for payloads in (before, now))
    return [
        pair
        for tag, i, i_end, j, j_end in SequenceMatcher(None, was, is_now, autojunk=False).get_opcodes()
        if tag == "replace" and i_end - i == j_end - j
        for pair in zip(before[i:i_end], now[j:j_end], strict=True)
    ]


def find_other_reading(pairs: Sequence[tuple[Any, Any]], around: Surroundings) -> tuple[str, Any] | None:
    """The first test of the producer whose payload changed so that a service answers another thing, and the payload."""
    for old, new in pairs:
        for url in around.services:
            first, again, answer = (_read_answer(url, payload, around) for payload in (old, old, new))
            steady = keep_common(first, again)
            if steady is NOTHING or answer is NOTHING:
                continue
            if (changed := find_change(steady, answer, "the answer")) is not None:
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
    return _parse_lines(file.read_bytes() if file.is_file() else b"", str(file))


def _parse_lines(data: bytes, where: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            entry = json.loads(line)
            is_right = isinstance(entry["contract"], str) and {"payload", "answer"} <= entry.keys()
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            is_right = False
        if not is_right:
            raise ContractError(f"{where}, line {number}, holds no answer. Take it back from git, or record anew.")
        entries.append(entry)
    return entries


def keep_common(one: Any, other: Any) -> Any:
    """What two answers to one payload have in common; NOTHING where that is nothing."""
    if isinstance(one, dict) and isinstance(other, dict):
        common = {key: keep_common(value, other.get(key, NOTHING)) for key, value in one.items()}
        return {key: value for key, value in common.items() if value is not NOTHING} or NOTHING
    return one if is_same_json(one, other) else NOTHING


def find_change(before: Any, now: Any, place: str) -> str | None:
    """What is another thing in an answer now, in words; None where it holds all that was answered before."""
    if isinstance(before, dict) and isinstance(now, dict):
        pairs = [(value, now.get(key, NOTHING), f"{place}.{key}") for key, value in before.items()]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [(*both, f"{place}[{number}]") for number, both in enumerate(zip(before, now, strict=True))]
    elif is_same_json(before, now) or _is_rounded_alike(before, now):
        return None
    else:
        is_now = "is gone" if now is NOTHING else f"is {shorten(json.dumps(now), 200)}"
        return f"{place} was {shorten(json.dumps(before), 200)} and {is_now}"
    changes = (find_change(*pair) for pair in pairs)
    return next((change for change in changes if change is not None), None)


def find_beyond_doubles(before: Any, now: Any) -> list[Any]:
    """The large numbers that differ as doubles round them, and no more, as they were answered first."""
    if isinstance(before, dict) and isinstance(now, dict):
        pairs = [(value, now.get(key)) for key, value in before.items()]
    elif isinstance(before, list) and isinstance(now, list):
        pairs = list(zip(before, now, strict=False))
    else:
        is_other = before != now and _is_rounded_alike(before, now)
        return [before] if is_other and abs(before) * _ROUNDED > 0.5 else []
    return [number for pair in pairs for number in find_beyond_doubles(*pair)]


def tell_beyond_doubles(url: str, found: Sequence[tuple[Any, Any]]) -> Iterator[Row]:
    """One line for all payloads whose answers differ so. `found`: the first number of each, and the payload."""
    if found:
        number, payload = found[0]
        yield Row(
            "note",
            f"{url} answers "
            f"{format_count(len(found), 'payload')} with other last digits than before, as doubles round them: readers "
            f"of JSON need not tell integers beyond 2**53 apart (RFC 8259, 6). The first: {number}, of "
            f"{shorten(json.dumps(payload), 300)}.",
        )


def _is_rounded_alike(one: Any, other: Any) -> bool:
    """Whether two numbers are one but for their last digits, as sums of doubles in another order, or in another unit.
    Integers that a double holds are exact, but for what a step beyond them on the way loses."""
    if not (is_number(one) and is_number(other)):
        return False
    is_exact = all(float(number).is_integer() and abs(number) <= LAST_EXACT for number in (one, other))
    return isclose(one, other, rel_tol=_ROUNDED if is_exact else _PRECISION)
