"""Run the tests of a project once for each mutant, and say which of them changed what was recorded.

A script of its own, for the sandbox: it is started in a copy of the project, reads what to do from its standard input,
and imports nothing of the project or of GraphBus. One line of JSON a mutant, each after the mark."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

LEAST_S = 5.0  # that a run may take, however fast it was at first
TIMES = 10.0  # as long as at first
LAST_CHARS = 600
MAX_PAIRS, MAX_PAIR_CHARS = 20, 40_000


def main() -> None:
    """Run them all, or as many as the time allows."""
    request = json.loads(sys.stdin.buffer.read())
    mark, command, files = request["mark"], request["command"], request["records"]
    ends = time.monotonic() + request["seconds"]

    def tell(**said: Any) -> None:
        print(mark, json.dumps(said), flush=True)

    begun = time.monotonic()
    code, first, said = run_once(command, files, request["seconds"])
    if code != 0 or not any(isinstance(payloads, list) and payloads for payloads in first):
        how = f"it ended with code {code}" if code else f"it records no payload in {' or '.join(files)}, one a line"
        tell(failed=": ".join(filter(None, (how, " ".join(said[-LAST_CHARS:].split())))))
        return
    most_s = max(LEAST_S, TIMES * (time.monotonic() - begun))
    steady = keep_common(first, run_once(command, files, most_s)[1])
    if request["code_before"]:
        tell(pairs=find_other_payloads(request, first, steady, most_s))
    if request["tests_before"]:
        tell(new=find_new_keys(request, first, most_s))
    away, shown = set(), set()  # files that the tests do not load; parts that another mutant of them shows
    for number, mutant in enumerate(request["mutants"]):
        if time.monotonic() > ends:
            break
        if mutant["file"] in away:
            continue
        if mutant["part"] in shown:
            tell(mutant=number, differs=True)
            continue
        file = Path(mutant["file"])
        text = file.read_bytes()
        try:
            file.write_bytes(text[: mutant["start"]] + mutant["text"].encode() + text[mutant["end"] :])
            code, records, _ = run_once(command, files, most_s)
        finally:
            file.write_bytes(text)
        differs = code != 0 or not holds(steady, records)
        if mutant["loads"] and not differs:
            away.add(mutant["file"])
        if differs and mutant["part"] is not None:
            shown.add(mutant["part"])
        tell(mutant=number, differs=differs)
    code, last, _ = run_once(command, files, most_s)
    tell(steady=code == 0 and holds(steady, last))


def find_other_payloads(request: dict[str, Any], now: list[Any], steady: list[Any], most_s: float) -> list[Any] | None:
    """What the same tests send with the code as it was, and with the code as it is, where that is another thing.

    The tests as they are; where the old code fails in them, the tests as they were, without what the tests as they are
    send still: those may have been written otherwise together with the code. None where that fails, too."""
    command, files = request["command"], request["records"]
    still: set[str] = set()
    with replaced(request["code_before"]):
        code, before, _ = run_once(command, files, most_s)
    if code != 0:
        still = {write(payload) for some in now if isinstance(some, list) for payload in some}
        with replaced(request["tests_before"]):
            code_now, now, _ = run_once(command, files, most_s)
            with replaced(request["code_before"]):
                code, before, _ = run_once(command, files, most_s)
        if code != 0 or code_now != 0:
            return None
        steady = now
    pairs = [pair for three in zip(before, now, steady, strict=True) for pair in pair_payloads(*three)]
    pairs = [pair for pair in pairs if write(pair[0]) not in still]
    return [pair for pair in pairs if len(json.dumps(pair)) <= MAX_PAIR_CHARS][:MAX_PAIRS]


def find_new_keys(request: dict[str, Any], now: list[Any], most_s: float) -> list[Any]:
    """What is sent in tests of this change alone: each key that no payload of the tests as they were has (with the code
    as it is, or where that fails in them, as it was), with its place, how many payloads have it, and one of them."""
    command, files = request["command"], request["records"]
    with replaced(request["tests_before"]):
        code, tested, _ = run_once(command, files, most_s)
        if code != 0:
            with replaced(request["code_before"]):
                code, tested, _ = run_once(command, files, most_s)
    if code != 0:
        return []
    was, is_now = ([payload for some in runs if isinstance(some, list) for payload in some] for runs in (tested, now))
    known = {place for payload in was for place in list_keys(payload)}
    found: dict[tuple[str, ...], list[Any]] = {}
    for payload in is_now:
        for place in dict.fromkeys(list_keys(payload)):
            if place not in known and len(json.dumps(payload)) <= MAX_PAIR_CHARS:
                found.setdefault(place, []).append(payload)
    return [[place, len(some), some[0]] for place, some in found.items()][:MAX_PAIRS]


def list_keys(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of all keys in a payload; items of a list are one place."""
    for name, inner in value.items() if isinstance(value, dict) else ():
        yield (*place, name)
        yield from list_keys(inner, (*place, name))
    for inner in value if isinstance(value, list) else ():
        yield from list_keys(inner, (*place, "[]"))


@contextmanager
def replaced(texts: dict[str, str | None]) -> Iterator[None]:
    """Files with another text, or away, for a while."""
    kept = {name: Path(name).read_bytes() if Path(name).is_file() else None for name in texts}
    try:
        write_files({name: None if text is None else text.encode() for name, text in texts.items()})
        yield
    finally:
        write_files(kept)


def write_files(files: dict[str, bytes | None]) -> None:
    """Write each, or take it out."""
    for name, data in files.items():
        if data is None:
            Path(name).unlink(missing_ok=True)
        else:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(data)


def pair_payloads(before: Any, now: Any, steady: Any) -> Iterator[list[Any]]:
    """The payloads of two runs that stand for the same test, and are not the same; `steady`: what does not vary now."""
    if not (isinstance(before, list) and isinstance(now, list) and isinstance(steady, list)):
        return
    was, is_now = ([write(payload) for payload in some] for some in (before, now))
    for tag, i, i_end, j, j_end in SequenceMatcher(None, was, is_now, autojunk=False).get_opcodes():
        if tag == "replace" and i_end - i == j_end - j:
            for old, new, same in zip(before[i:i_end], now[j:j_end], steady[j:j_end], strict=True):
                if not holds(same, old):
                    yield [old, new]


def write(payload: Any) -> str:
    """As JSON, in one form."""
    return json.dumps(payload, sort_keys=True)


def run_once(command: str, files: list[str], most_s: float) -> tuple[int, list[Any], str]:
    """The exit code of the tests, what they recorded, and what they printed."""
    for name in files:
        Path(name).unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        ["sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )
    try:
        said = process.communicate(timeout=most_s)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return -1, [], f"it did not end within {most_s:.0f} s"
    return process.returncode, [read_payloads(Path(name)) for name in files], said


def read_payloads(file: Path) -> Any:
    """The payloads of a file of JSON lines; its text, where it holds other lines."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return text


class Varies:
    """What is another thing in each run: a date, a number that counts."""


def keep_common(one: Any, other: Any) -> Any:
    """What two runs have in common."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {name: keep_common(one[name], other[name]) for name in one}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [keep_common(a, b) for a, b in zip(one, other, strict=True)]
    return one if type(one) is type(other) and one == other else Varies


def holds(steady: Any, now: Any) -> bool:
    """Whether a run recorded the same, where two runs did."""
    if steady is Varies:
        return True
    if isinstance(steady, dict) and isinstance(now, dict):
        return steady.keys() == now.keys() and all(holds(steady[name], now[name]) for name in steady)
    if isinstance(steady, list) and isinstance(now, list):
        return len(steady) == len(now) and all(holds(a, b) for a, b in zip(steady, now, strict=True))
    return type(steady) is type(now) and bool(steady == now)


if __name__ == "__main__":
    main()
