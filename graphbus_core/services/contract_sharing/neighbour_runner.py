"""Call what sends, as it was and as it is, with values beside those that the tests call it with.

A script of its own, for the sandbox: it is started in a copy of the project, reads what to do from its standard input,
and imports nothing of GraphBus but two files by their paths. What sends is a function at the top of a file whose result
is a payload that the tests record. One line of JSON a difference, each after the mark; at last what was compared. Three
roles, by the first word of the command line: none leads; `watch` is put before the tests as `sitecustomize` and notes
calls; `call` calls."""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import random
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

MAX_CALLS, MAX_INPUTS, MAX_CHARS = 20, 4_000, 20_000
MAX_MIXED = 300  # inputs that differ from a call in two places
MOST_ITEMS = (1 << 14) + 1
MAX_RESULT_CHARS, MAX_TOLD_CHARS, MAX_LIKE = 1_500_000, 6_000_000, 4
CALL_S = 60.0
AWAY, NOTHING = ["away"], "null"


@dataclass(frozen=True)
class Input:
    """What a function is called with, as Python writes it; `base`: the call of the tests that it stands beside.

    `proves`: that what the code as it was took is refused now says something. With two places changed it does not: one
    of them may hold what no test and no code lets it hold. `is_new`: it has a key that no test has."""

    text: str
    base: str
    proves: bool = True
    is_new: bool = False


def lead() -> None:
    """Watch the tests, then call each function with neighbours of what was seen, in both editions of the code."""
    request = json.loads(sys.stdin.buffer.read())
    runner, variations = (SimpleNamespace(**runpy.run_path(request[name])) for name in ("runner", "variations"))
    ends = time.monotonic() + request["seconds"]
    calls = find_calls(request, runner)
    inputs = list_inputs(calls, request, variations)
    sized = list_sized(calls, request, variations)
    everything = [*inputs, *sized]
    now = call_all(everything)
    again = call_all(everything)
    with runner.replaced(request["before"]):
        was = call_all(everything) if now else []
    before = {asked.text: old for asked, old in zip(everything, was, strict=False)}
    told: dict[Any, int] = {}
    room = MAX_TOLD_CHARS
    for asked, old_text, now_text, again_text in zip(everything, was, now, again, strict=False):
        # What the code as it was does not read may hold anything there, but for what the tests say that it holds.
        is_asked = asked.is_new or asked.text == asked.base or old_text != before.get(asked.base)
        if (
            not is_asked
            or before.get(asked.base, NOTHING) == NOTHING
            or is_same(old_text, now_text, again_text, runner)
        ):
            continue
        old, new = json.loads(old_text), json.loads(now_text)
        if new is None or (old is None and not (asked.proves and is_likely(asked, request["texts"]))):
            continue
        like = describe_difference(old, new)
        said = {"call": asked.text[:MAX_CHARS], "before": old, "now": new, "proves": asked.proves}
        text = json.dumps(said)
        if told.get(like, 0) < MAX_LIKE and len(text) < room:
            told[like] = told.get(like, 0) + 1
            room -= len(text)
            print(request["mark"], text, flush=True)
    reached = list(find_reached(request, runner, inputs, now, again, ends))
    compared = sum(old != NOTHING for old in was)
    print(request["mark"], json.dumps({"reached": reached, "compared": compared}), flush=True)


def find_calls(request: Mapping[str, Any], runner: SimpleNamespace) -> dict[str, str]:
    """The calls of the tests whose results are what they record, each with its result, the fullest first."""
    with tempfile.TemporaryDirectory() as place:
        seen = Path(place) / "calls"
        (Path(place) / "sitecustomize.py").write_text(Path(__file__).read_text("utf-8") + "\nwatch()\n")
        path = os.pathsep.join(filter(None, (place, os.environ.get("PYTHONPATH"))))
        noted = {"GRAPHBUS_WATCHED": json.dumps(request["files"]), "GRAPHBUS_CALLS": str(seen)}
        environment = {**os.environ, **noted, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                ["sh", "-c", request["command"]], env=environment, check=False, capture_output=True, timeout=CALL_S
            )
        lines = seen.read_text("utf-8").splitlines() if seen.is_file() else []
    files = [runner.read_payloads(Path(name)) for name in request["records"]]
    recorded = {write(payload) for file in files if isinstance(file, list) for payload in file}
    noted_calls = [json.loads(line) for line in lines]
    calls = {call: result for call, result in noted_calls if result in recorded}
    return dict(sorted(calls.items(), key=lambda one: len(one[0]), reverse=True)[:MAX_CALLS])


def list_inputs(calls: Mapping[str, str], request: Mapping[str, Any], variations: SimpleNamespace) -> list[Input]:
    """What functions are called with: each call, and what is beside it in one place and in two."""
    texts, numbers = request["texts"], request["numbers"]
    near = [n + more for n in numbers for more in (-1, 0, 1)]
    seen = [ast.literal_eval(call) for call in calls]
    known = collect_keys([arguments for _, _, arguments in seen], variations)
    keys = [*known, *collect_keys([json.loads(result) for result in calls.values()], variations)]
    inputs = {call: Input(call, call) for call in calls}
    turns = []
    for number, (call, (name, function, arguments)) in enumerate(zip(calls, seen, strict=True)):
        anything = variations.list_any(arguments, [*texts, *keys], near)
        new = dict.fromkeys((text for text in texts if text not in known), anything)
        one = [*variations.vary(arguments, texts, near), *variations.add_keys(arguments, known)]
        one += [variations.draw_numbers(arguments, seed) for seed in range(20)]
        strange = list(variations.add_keys(arguments, new))
        drawn = random.Random(number)
        turn = [Input(repr((name, function, value)), call) for value in one]
        turn += [Input(repr((name, function, value)), call, is_new=True) for value in strange]
        for some, is_new in ((strange, True), ([*one, *strange], False)):
            for _ in range(MAX_MIXED if some else 0):
                mixed = mix(arguments, *drawn.choices(some, k=2))
                turn.append(Input(repr((name, function, mixed)), call, proves=is_new, is_new=is_new))
        turns.append(turn)
    # By turns, so that no call uses up what may be asked.
    for asked in (asked for some in zip_longest(*turns) for asked in some if asked is not None):
        inputs.setdefault(asked.text, asked)
    return list(inputs.values())[:MAX_INPUTS]


def list_sized(calls: Mapping[str, str], request: Mapping[str, Any], variations: SimpleNamespace) -> list[Input]:
    """The fullest call, with what it holds in many sizes."""
    sizes = variations.list_sizes(request["numbers"], MOST_ITEMS)
    return [
        Input(repr((name, function, value)), call)
        for call in list(calls)[:1]
        for name, function, arguments in [ast.literal_eval(call)]
        for value in variations.resize(arguments, sizes)
    ]


def collect_keys(values: Sequence[Any], variations: SimpleNamespace) -> dict[str, list[Any]]:
    """The keys of all objects in the values, each with what it holds there."""
    known: dict[str, list[Any]] = {}
    for whole in values:
        for _, part in variations.walk_parts(whole):
            for key, value in part.items() if isinstance(part, dict) else ():
                held = known.setdefault(key, [])
                if value not in held:
                    held.append(value)
    return known


def is_likely(asked: Input, texts: Sequence[str]) -> bool:
    """Whether it may well be asked for although the code as it was ended in an error: something is away or none in it
    that is there in the call beside it, or it holds a text that the changed code names."""
    before, now = (ast.literal_eval(text)[2] for text in (asked.base, asked.text))
    words = repr(describe_difference(before, now))
    return (
        "'away'" in words
        or "NoneType" in words
        or any(asked.text.count(repr(text)) > asked.base.count(repr(text)) for text in texts)
    )


def mix(value: Any, one: Any, other: Any) -> Any:
    """What is in `one`, and where that is as in `value`, what is in `other`."""
    if not all(isinstance(some, dict) for some in (value, one, other)):
        return other if one == value else one
    mixed = {}
    for key in [*one, *(key for key in other if key not in value)]:
        if key in value and key not in other:
            continue
        if key in one and key in other and key in value:
            mixed[key] = mix(value[key], one[key], other[key])
        else:
            mixed[key] = one[key] if key in one else other[key]
    return mixed


def is_same(other: str, now: str, again: str, runner: SimpleNamespace) -> bool:
    """Whether a result is that of two runs now, as far as those agree. All are JSON."""
    if now == again:
        return other == now
    return bool(runner.holds(runner.keep_common(json.loads(now), json.loads(again)), json.loads(other)))


def find_reached(
    request: Mapping[str, Any],
    runner: SimpleNamespace,
    inputs: Sequence[Input],
    now: Sequence[str],
    again: Sequence[str],
    ends: float,
) -> Iterator[int]:
    """The mutants with which some result is another one."""
    for number, mutant in enumerate(request["mutants"] if now else ()):
        if time.monotonic() > ends:
            return
        source = Path(mutant["file"]).read_bytes()
        text = source[: mutant["start"]] + mutant["text"].encode() + source[mutant["end"] :]
        with runner.replaced({mutant["file"]: text.decode()}):
            results = call_all(inputs)
        triples = zip(results, now, again, strict=False)
        if len(results) < min(len(now), len(inputs)) or not all(is_same(*three, runner) for three in triples):
            yield number


def describe_difference(old: Any, new: Any, place: str = "") -> Any:
    """Of which kind a difference is: where, and from what sort of value to what."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if write(old.get(key, AWAY)) != write(new.get(key, AWAY))]
        return tuple(describe_difference(old.get(key, AWAY), new.get(key, AWAY), f"{place}.{key}") for key in keys)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [pair for pair in zip(old, new, strict=True) if write(pair[0]) != write(pair[1])]
        return tuple({describe_difference(*pair, f"{place}[]") for pair in pairs[:20]})
    return (place, sort_of(old), sort_of(new))


def sort_of(value: Any) -> Any:
    """A value by its type and, roughly, its size."""
    if value is AWAY:
        return "away"
    if isinstance(value, str | list | dict):
        return (type(value).__name__, len(value).bit_length())
    if isinstance(value, int | float):
        return (type(value).__name__, value < 0, len(f"{value:.0f}"))
    return type(value).__name__


def write(value: Any) -> str:
    """As JSON, in one form."""
    return json.dumps(value, sort_keys=True)


def call_all(inputs: Sequence[Input]) -> list[str]:
    """The results as JSON, of a process of its own; NOTHING where there was an error, or no JSON. Fewer where that
    ended before."""
    with tempfile.TemporaryDirectory() as place:
        results = Path(place) / "results"
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [sys.executable, __file__, "call", str(results)],
                input=json.dumps([asked.text for asked in inputs]).encode(),
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
                check=False,
                capture_output=True,
                timeout=CALL_S,
            )
        return results.read_text("utf-8").split("\n")[:-1] if results.is_file() else []


def call(results: Path) -> None:
    """Call with each input, and write what came of it, one line each."""
    inputs = json.loads(sys.stdin.buffer.read())
    with results.open("w", encoding="utf-8") as out:
        for asked in inputs:
            text = NOTHING
            try:
                name, function, arguments = ast.literal_eval(asked)
                module = name.removesuffix(".py").removeprefix("src/").replace("/", ".").removesuffix(".__init__")
                with contextlib.redirect_stdout(sys.stderr):
                    text = write(getattr(importlib.import_module(module), function)(**arguments))
            except (Exception, SystemExit):
                pass
            out.write((text if len(text) <= MAX_RESULT_CHARS else NOTHING) + "\n")
            out.flush()


def watch() -> None:
    """Note each call of a function that stands at the top of a watched file: its arguments, and its result."""
    watched = {str(Path(name).resolve()): name for name in json.loads(os.environ["GRAPHBUS_WATCHED"])}
    out = open(os.environ["GRAPHBUS_CALLS"], "a", encoding="utf-8")  # noqa: SIM115 - for the life of the process
    begun: dict[int, str] = {}

    def note(frame: FrameType, event: str, result: Any) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        name = watched.get(os.path.realpath(code.co_filename))
        if name is None or code.co_qualname != code.co_name or code.co_name.startswith("<") or code.co_flags & 0x2AC:
            return
        with contextlib.suppress(ValueError, SyntaxError, TypeError, RecursionError):
            if event == "call":
                count = code.co_argcount + code.co_kwonlyargcount
                line = repr((name, code.co_name, {key: frame.f_locals[key] for key in code.co_varnames[:count]}))
                ast.literal_eval(line)
                begun[id(frame)] = line
            elif (line := begun.pop(id(frame), "")) and len(line) <= MAX_CHARS:
                out.write(json.dumps([line, json.dumps(result, sort_keys=True)]) + "\n")
                out.flush()

    sys.setprofile(note)


if __name__ == "__main__" and not os.environ.get("GRAPHBUS_CALLS"):
    sys.path.insert(0, os.getcwd())
    call(Path(sys.argv[2])) if sys.argv[1:2] == ["call"] else lead()
