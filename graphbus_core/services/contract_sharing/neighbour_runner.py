"""Call what sends, as it was and as it is, with values beside those that the tests call it with.

A script of its own, for the sandbox: it is started in a copy of the project, reads what to do from its standard input,
and imports nothing of GraphBus but three files by their paths. What sends is a function at the top of a file whose
result is a payload that the tests record. One line of JSON a difference, each after the mark; at last what was
compared. Three roles: without a word on the command line it leads, and calls in copies of its own process; `watch` is
put before the tests as `sitecustomize` and notes calls; `call` calls in an interpreter that begins anew."""

from __future__ import annotations

import ast
import contextlib
import copyreg
import gc
import importlib
import json
import marshal
import os
import random
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import islice, zip_longest
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, NoReturn

MAX_CALLS, MAX_INPUTS, MAX_CHARS = 20, 4_000, 20_000
MAX_MIXED = 300  # inputs that differ from a call in two places
MOST_ITEMS = (1 << 14) + 1
MAX_RESULT_CHARS, MAX_TOLD_CHARS, MAX_LIKE = 1_500_000, 6_000_000, 4
CALL_S = 60.0
POLL_S = 0.002  # between two looks whether a copy has ended
MAX_PLACES = 24  # that are put back in a call, to see whether a difference stays
AWAY, NOTHING = ["away"], "null"
# A call is noted in Python's literals. Anything else is noted as pickle would make it again: one of these,
# "module:name", what that is called with, and what is set afterwards.
MADE, NEW = "\0made", "\0new"
MAX_PARTS = 5_000  # of a call that is noted
# Why a difference may be meant: by keys that are new, by what the tests write otherwise and show, or show too little.
NEW_KEYS, REWRITTEN, UNLEARNED = "new keys", "rewritten", "unlearned"
NO_LITERAL = re.compile(r"\b(inf|nan)j?\b")  # as Python writes it, and does not read it
written: dict[str, bytes] = {}  # the calls that this process wrote itself: reading a text is a third of all its work


@dataclass(frozen=True)
class Input:
    """What a function is called with, as Python writes it; `base`: the call of the tests that it stands beside.

    `proves`: that what the code as it was took is refused now says something. With two places changed it does not: one
    of them may hold what no test and no code lets it hold. `is_new`: it has a key that no test has."""

    text: str
    base: str
    proves: bool = True
    is_new: bool = False


@dataclass(frozen=True)
class Account:
    """Why a difference may be meant: by which keys or places, and how other values at these were compared."""

    kind: str
    names: tuple[str, ...]
    how: str = ""


@dataclass(frozen=True)
class Difference:
    """A call whose result is another one now: the three results as JSON, the last of a second run."""

    asked: Input
    old: str
    now: str
    again: str
    account: Account | None = None


@dataclass
class Bench:
    """What the two editions are called with: the request, and the files that are read by their paths. `rewritten`: what
    the tests of the change write otherwise."""

    request: Mapping[str, Any]
    runner: SimpleNamespace
    variations: SimpleNamespace
    conversions: SimpleNamespace
    rewritten: Any = None

    def call_old(self, texts: Sequence[str]) -> list[str]:
        """The results with the code as it was."""
        with self.runner.replaced(self.request["before"]):
            return call_all(texts)

    def call_before(self, texts: Sequence[str], rewritten: Any = None) -> list[list[str]]:
        """The results with the code as it was, called as the tests then wrote what they write otherwise now: of each
        call one result, or one for each way to round its numbers."""
        ways = [self.write_before(text, rewritten) for text in texts]
        results = iter(self.call_old([text for some in ways for text in some]))
        grouped = [list(islice(results, len(some))) for some in ways]
        return [some for some, texts in zip(grouped, ways, strict=True) if len(some) == len(texts)]

    def write_before(self, text: str, rewritten: Any = None) -> list[str]:
        """A call as the tests wrote it before: in one way, or with its numbers rounded in each way."""
        rewritten = rewritten or self.rewritten
        return [*map(write_call, rewritten.list_before(parse_call(text))[0])] if rewritten.places else [text]

    def call_thrice(self, texts: Sequence[str]) -> list[tuple[str, str, str]]:
        """The results with the code as it was, and twice with the code as it is. Of several with the code as it was,
        the one that is the result now, if one is."""
        now, again = call_all(texts), call_apart(texts)
        results = zip(self.call_before(texts if now else ()), now, again, strict=False)
        return [(next((o for o in olds if self.is_same(o, n, a)), olds[0]), n, a) for olds, n, a in results]

    def is_same(self, other: str, now: str, again: str) -> bool:
        """Whether a result is that of two runs now, as far as those agree. All are JSON."""
        if now == again:
            return other == now
        return bool(self.runner.holds(self.runner.keep_common(json.loads(now), json.loads(again)), json.loads(other)))


def lead() -> None:
    """Watch the tests, then call each function with neighbours of what was seen, in both editions of the code."""
    request = json.loads(sys.stdin.buffer.read())
    files = (SimpleNamespace(**runpy.run_path(request[name])) for name in ("runner", "variations", "conversions"))
    bench = Bench(request, *files)
    ends = time.monotonic() + request["seconds"]
    calls_before = find_calls_before(bench)
    calls = find_calls(bench)
    names, names_before = (
        set[str]().union(*(list_keys(ast.literal_eval(call)[2]) for call in some))
        for some in (calls, calls_before or calls)
    )
    calls = dict(sorted(calls.items(), key=lambda one: len(one[0]), reverse=True)[:MAX_CALLS])
    bench.rewritten = find_rewritten(calls_before, calls, bench)
    inputs = list_inputs(calls, bench)
    everything = [*inputs, *list_sized(calls, bench)]
    results = bench.call_thrice([asked.text for asked in everything])
    before = {asked.text: old for asked, (old, _, _) in zip(everything, results, strict=False)}
    found = []
    for asked, (old, now, again) in zip(everything, results, strict=False):
        # What the code as it was does not read may hold anything there, but for what the tests say that it holds.
        is_asked = asked.is_new or asked.text == asked.base or old != before.get(asked.base)
        is_compared = is_asked and before.get(asked.base, NOTHING) != NOTHING
        if is_compared and not bench.is_same(old, now, again):
            found.append(Difference(asked, old, now, again, explain(asked, (), bench.rewritten)))
    tell([*list_rewritten(calls, bench), *reduce_all(found, names, names_before, bench)], request)
    # Where nothing is known of what was sent before, another result shows nothing.
    unknown = {one.asked.text for one in found if one.account is not None and one.account.kind == REWRITTEN}
    seen = [pair for pair in zip(inputs, results, strict=False) if pair[0].text not in unknown]
    reached = list(find_reached(bench, seen, ends))
    compared = sum(old != NOTHING for old, _, _ in results)
    print(request["mark"], json.dumps({"reached": reached, "compared": compared}), flush=True)


def explain(asked: Input, new_keys: tuple[str, ...], rewritten: Any) -> Account | None:
    """Why another result of a call may be meant, if anything says so: keys that neither the code as it was reads nor
    its tests had; or values of which no test says what stood for them. Two texts show what they can, as no texts make a
    line; numbers that make none, and a single one, show too little: then it is a difference like any other."""
    if new_keys:
        return Account(NEW_KEYS, new_keys)
    if places := rewritten.list_before(parse_call(asked.text))[1]:
        return Account(REWRITTEN if rewritten.is_shown(places) else UNLEARNED, rewritten.name(places))
    return None


def tell(found: Sequence[Difference], request: Mapping[str, Any]) -> None:
    """Print some differences of each kind, and all of what the tests themselves call."""
    told: dict[Any, int] = {}
    room = MAX_TOLD_CHARS
    for one in found:
        asked, old, new = one.asked, json.loads(one.old), json.loads(one.now)
        is_meant = one.account is not None and one.account.how
        is_proof = is_meant or (asked.proves and is_likely(asked, request["texts"]))
        if new is None or (old is None and not is_proof):
            continue
        like = one.account, describe_difference(old, new)
        is_tested = asked.text == asked.base
        said = {"call": asked.text[:MAX_CHARS], "before": old, "now": new, "proves": asked.proves}
        text = json.dumps(said | {"account": one.account and asdict(one.account), "is_tested": is_tested})
        if (is_tested or told.get(like, 0) < MAX_LIKE) and len(text) < room:
            told[like] = told.get(like, 0) + 1
            room -= len(text)
            print(request["mark"], text, flush=True)


def reduce_all(
    found: Sequence[Difference], names: Collection[str], names_before: Collection[str], bench: Bench
) -> list[Difference]:
    """The differences, each with what the tests hold in all places that the code as it was does not read in that call;
    those that are left. `names`: the keys that the tests' calls hold; `names_before`: those of the tests as they were.

    That code promised nothing of what it does not read. A difference that goes with a key which its tests did not have
    either is what the change is for: what is sent with it is new, and is no other reading of what was sent before."""
    edits = [list_edits(one.asked, names, names_before, bench) if one.old != NOTHING else [] for one in found]
    tried = iter(bench.call_before([text for some in edits for text, _ in some]))
    left: list[Difference] = []
    reduced: list[tuple[Difference, tuple[str, ...]]] = []
    asked: list[Input] = []
    for one, some in zip(found, edits, strict=True):
        unread = [edit for _, edit in some if one.old in next(tried, ())]
        if not unread:
            left.append(one)
            continue
        keys = tuple(edit for edit in unread if isinstance(edit, str))
        parts = dict(edit for edit in unread if not isinstance(edit, str))
        asked += (replace(one.asked, text=edit_call(one.asked.text, bench, parts, some)) for some in ((), keys))
        reduced.append((one, keys))
    results = bench.call_thrice([one.text for one in asked])
    if len(results) < len(asked):
        return list(found)  # it ended before: nothing is known to be less
    for (one, keys), less, whole, least in zip(reduced, asked[::2], results[::2], results[1::2], strict=True):
        if whole[0] != one.old:  # one of these places matters with another
            left.append(one)
        elif not bench.is_same(*whole):
            is_new = bool(keys) and least[0] == whole[0] and bench.is_same(*least)
            left.append(Difference(less, *whole, explain(less, keys if is_new else (), bench.rewritten)))
    return left


def find_rewritten(calls_before: Mapping[str, str], calls: Mapping[str, str], bench: Bench) -> Any:
    """What the tests of a change write otherwise so that the same is sent: for each such place of the arguments, what
    stood there by what stands there now.

    A price of 995 cents is 9.95 now, say: then no call now is the one of before with the same number. Only where all
    that the tests sent is still sent, no value stands for two, and the code as it was sends something else for what
    stands there now. What else a test was changed in is none of it."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    conversions = bench.conversions
    nothing = conversions.Rewritten({})
    sent_before, sent = (
        {call: even_numbers(result) for call, result in some.items()} for some in (calls_before, calls)
    )
    if not set(sent_before.values()) <= set(sent.values()):
        return nothing
    for call, result in sent.items():
        stood = [old for old, same in sent_before.items() if same == result]
        stood = [call] if call in stood else stood
        if len(stood) != 1:
            continue
        now, before = (ast.literal_eval(text) for text in (call, stood[0]))
        for place, value, old in conversions.list_leaves(now[2], before[2]) if now[:2] == before[:2] else ():
            if repr(found.setdefault(place, {}).setdefault(repr(value), old)) != repr(old):
                return nothing
    found = {place: values for place, values in found.items() if any(now != repr(old) for now, old in values.items())}
    tested = [call for call in calls if call not in calls_before and sent[call] in sent_before.values()]
    needed = {}
    for place in found:
        others = conversions.Rewritten({other: values for other, values in found.items() if other != place})
        results = bench.call_before(tested, others)
        if any(even_numbers(some[0]) != sent[call] for some, call in zip(results, tested, strict=False)):
            needed[place] = found[place]
    added = [call for call, result in sent.items() if result not in sent_before.values()] if needed else []
    return learn_added(added, sent, needed, bench)


def learn_added(
    added: Sequence[str], sent: Mapping[str, str], pairs: dict[tuple[Any, ...], dict[str, Any]], bench: Bench
) -> Any:
    """The pairs, and those of tests that were added: where a call holds one value that is in no pair, and the code as
    it was sends the same for one thing in its place, of all that the payload holds."""
    build = bench.conversions.Rewritten
    for call in added:
        values = {(place, repr(value)) for place, value in build(pairs).find_values(ast.literal_eval(call)[2])}
        if len(values) != 1:
            continue
        place, value = values.pop()
        things = [json.loads(thing) for thing in list_scalars(json.loads(sent[call]))]
        tried = [{**pairs, place: {**pairs[place], value: thing}} for thing in things]
        results = bench.call_old([bench.write_before(call, build(some))[0] for some in tried])
        fits = [some for some, result in zip(tried, results, strict=False) if even_numbers(result) == sent[call]]
        pairs = fits[0] if len(fits) == 1 else pairs
    return build(pairs)


def list_scalars(value: Any) -> list[str]:
    """The texts and numbers in a value, each once, as JSON."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [] if isinstance(value, dict | list) else [write(value)]
    return list(dict.fromkeys([*found, *(text for part in inner for text in list_scalars(part))]))


def even_numbers(result: str) -> str:
    """JSON in which 1.0 is 1, which is how readers of JSON take it."""
    return write(json.loads(result, parse_float=lambda text: int(n) if (n := float(text)).is_integer() else n))


def list_rewritten(calls: Mapping[str, str], bench: Bench) -> list[Difference]:
    """What the code as it was sends for tests that are written otherwise now: nobody meant that."""
    rewritten = bench.rewritten
    changed = [call for call in calls if bench.write_before(call) != [call]]
    account = Account(REWRITTEN, rewritten.name(rewritten.places), rewritten.describe())
    return [
        Difference(Input(call, call, proves=False), old, calls[call], calls[call], account)
        for call, old in zip(changed, bench.call_old(changed), strict=False)
    ]


def list_edits(
    asked: Input, names: Collection[str], names_before: Collection[str], bench: Bench
) -> list[tuple[str, Any]]:
    """What may be put back in a call, one at a time: the call with that, and the edit. An edit is a place with what the
    call of the tests holds there, or a key that the tests as they were did not have, to be left out everywhere."""
    base, arguments = (ast.literal_eval(text)[2] for text in (asked.base, asked.text))
    places = list(list_places(base, arguments, names))
    keys = sorted(list_keys([*arguments.values()]).difference(names_before))
    edits = [(edit_call(asked.text, bench, dict([edit])), edit) for edit in places] if len(places) <= MAX_PLACES else []
    return [
        *(edits if len(places) > 1 else ()),
        *((edit_call(asked.text, bench, {}, [key]), key) for key in keys[:MAX_PLACES]),
    ]


def list_places(base: Any, value: Any, names: Collection[str], place: tuple[Any, ...] = ()) -> Iterator[Any]:
    """Where a value is not as in the base, each with what stands there. A key that no test has stays."""
    if isinstance(base, dict) and isinstance(value, dict):
        for key in {**base, **value}:
            if key not in base and key in names:
                yield (*place, key), AWAY
            elif key in base and key not in value:
                yield (*place, key), base[key]
            elif key in base:
                yield from list_places(base[key], value[key], names, (*place, key))
    elif type(base) is type(value) and isinstance(base, list | tuple) and len(base) == len(value):
        for number, pair in enumerate(zip(base, value, strict=True)):
            yield from list_places(*pair, names, (*place, number))
    elif repr(base) != repr(value):
        yield place, base


def edit_call(text: str, bench: Bench, parts: Mapping[tuple[Any, ...], Any], keys: Sequence[str] = ()) -> str:
    """A call with other parts in some places, whose objects do not have some keys."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key not in keys}
        return type(value)(map(strip, value)) if isinstance(value, list | tuple) else value

    name, function, arguments = ast.literal_eval(text)
    arguments = bench.conversions.put_all(arguments, parts)
    return write_call((name, function, {key: strip(inner) for key, inner in arguments.items()}))


def list_keys(value: Any) -> set[str]:
    """The keys of all objects in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return set(value if isinstance(value, dict) else ()).union(*map(list_keys, inner))


def find_calls_before(bench: Bench) -> dict[str, str]:
    """The calls of the tests as they were, with the code as it was; none where the tests are the same."""
    if not bench.request["tests_before"]:
        return {}
    with bench.runner.replaced({**bench.request["tests_before"], **bench.request["before"]}):
        return find_calls(bench)


def find_calls(bench: Bench) -> dict[str, str]:
    """The calls of the tests whose results are what they record, each with its result."""
    request = bench.request
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
    files = [bench.runner.read_payloads(Path(name)) for name in request["records"]]
    recorded = {write(payload) for file in files if isinstance(file, list) for payload in file}
    noted_calls = [json.loads(line) for line in lines]
    return {call: result for call, result in noted_calls if result in recorded}


def list_inputs(calls: Mapping[str, str], bench: Bench) -> list[Input]:
    """What functions are called with: each call, and what is beside it in one place and in two."""
    variations, texts, numbers = bench.variations, bench.request["texts"], bench.request["numbers"]
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
        shown = bench.rewritten.draw(arguments, number, len(seen))
        turn = [Input(write_call((name, function, value)), call) for value in [*shown, *one]]
        turn += [Input(write_call((name, function, value)), call, is_new=True) for value in strange]
        for some, is_new in ((strange, True), ([*one, *strange], False)):
            for _ in range(MAX_MIXED if some else 0):
                mixed = mix(arguments, *drawn.choices(some, k=2))
                turn.append(Input(write_call((name, function, mixed)), call, proves=is_new, is_new=is_new))
        turns.append(turn)
    # By turns, so that no call uses up what may be asked.
    for asked in (asked for some in zip_longest(*turns) for asked in some if asked is not None):
        inputs.setdefault(asked.text, asked)
    return list(inputs.values())[:MAX_INPUTS]


def list_sized(calls: Mapping[str, str], bench: Bench) -> list[Input]:
    """The fullest call, with what it holds in many sizes."""
    sizes = bench.variations.list_sizes(bench.request["numbers"], MOST_ITEMS)
    return [
        Input(write_call((name, function, value)), call)
        for call in list(calls)[:1]
        for name, function, arguments in [ast.literal_eval(call)]
        for value in bench.variations.resize(arguments, sizes)
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


def find_reached(bench: Bench, seen: Sequence[tuple[Input, tuple[str, str, str]]], ends: float) -> Iterator[int]:
    """The mutants with which some result is another one."""
    for number, mutant in enumerate(bench.request["mutants"] if seen else ()):
        if time.monotonic() > ends:
            return
        source = Path(mutant["file"]).read_bytes()
        text = source[: mutant["start"]] + mutant["text"].encode() + source[mutant["end"] :]
        with bench.runner.replaced({mutant["file"]: text.decode()}):
            results = call_all([asked.text for asked, _ in seen])
        pairs = zip(results, seen, strict=False)
        differs = any(not bench.is_same(result, *some[1:]) for result, (_, some) in pairs)
        if differs or len(results) < len(seen):
            yield number


def describe_difference(old: Any, new: Any, place: str = "") -> Any:
    """Of which kind a difference is: where, and from what sort of value to what."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if write_any(old.get(key, AWAY)) != write_any(new.get(key, AWAY))]
        return tuple(describe_difference(old.get(key, AWAY), new.get(key, AWAY), f"{place}.{key}") for key in keys)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [pair for pair in zip(old, new, strict=True) if write_any(pair[0]) != write_any(pair[1])]
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


def write_any(value: Any) -> str:
    """As JSON, in one form; what JSON has no form for as Python writes it."""
    return json.dumps(value, sort_keys=True, default=repr)


def call_all(texts: Sequence[str]) -> list[str]:
    """The results as JSON, of a process of its own; NOTHING where there was an error, or no JSON. Fewer where that
    ended before. The process is a copy of this one, which has read the calls."""
    if not texts or holds_project_code():
        return call_apart(texts)
    calls = [parse_call(text) for text in texts]
    with tempfile.TemporaryDirectory() as place:
        results = Path(place) / "results"
        child = os.fork()
        if child == 0:
            become_caller(calls, results)
        ends = time.monotonic() + CALL_S
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > ends:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(POLL_S)
        return read_results(results)


def call_apart(texts: Sequence[str]) -> list[str]:
    """The same of an interpreter that begins anew. What depends on where things lie in memory, as the order of a set
    of objects does, is the same in copies of one process, and another thing here."""
    if not texts:
        return []
    with tempfile.TemporaryDirectory() as place:
        results = Path(place) / "results"
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [sys.executable, __file__, "call", str(results)],
                input=marshal.dumps([parse_call(text) for text in texts]),
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
                check=False,
                capture_output=True,
                timeout=CALL_S,
            )
        return read_results(results)


def read_results(results: Path) -> list[str]:
    """What was written of them: whole lines."""
    return results.read_text("utf-8").split("\n")[:-1] if results.is_file() else []


def holds_project_code() -> bool:
    """Whether this process has imported something of the project, in one of its editions: `sitecustomize`, or a module
    under a name of Python's own."""
    files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
    return any(file.startswith(os.path.join(os.getcwd(), "")) for file in files)


def become_caller(calls: Sequence[Any], results: Path) -> NoReturn:
    """In a copy of this process: call, and end. Nothing that this process did is seen from the calls."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        importlib.invalidate_caches()
        gc.freeze()  # else each collection looks through all calls, and so copies them
        call(calls, results)
    finally:
        os._exit(0)


def write_call(call: Any) -> str:
    """A call as Python writes it. It need not be read: `parse_call` knows it, as a copy that shares nothing."""
    text = repr(call)
    if text not in written and not NO_LITERAL.search(text):
        with contextlib.suppress(ValueError):  # too deep
            written[text] = marshal.dumps(call, 2)
    return text


@lru_cache(maxsize=2 * MAX_INPUTS)
def parse_call(text: str) -> Any:
    """A call as Python has it: the file, the function and its arguments. None where it has no literal, as infinity."""
    if text in written:
        return marshal.loads(written[text])
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def call(calls: Sequence[Any], results: Path) -> None:
    """Make each call, and write what came of it, one line each."""
    sys.path.insert(0, os.getcwd())
    with results.open("w", encoding="utf-8") as out:
        for asked in calls:
            text = NOTHING
            try:
                name, function, arguments = asked
                module = name.removesuffix(".py").removeprefix("src/").replace("/", ".").removesuffix(".__init__")
                with contextlib.redirect_stdout(sys.stderr):
                    text = write(getattr(importlib.import_module(module), function)(**make_again(arguments)))
            except (Exception, SystemExit):
                pass
            out.write((text if len(text) <= MAX_RESULT_CHARS else NOTHING) + "\n")
            out.flush()


def write_literal(value: Any, left: Iterator[int]) -> Any:
    """A value in literals alone. ValueError or TypeError where it has too many parts, or cannot be made again."""
    if next(left, None) is None:
        raise ValueError("too many parts")
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        return value
    if kind is dict:
        return {write_literal(key, left): write_literal(inner, left) for key, inner in value.items()}
    if kind in (list, tuple, set):
        return kind(write_literal(inner, left) for inner in value)
    made, given, *more = value.__reduce_ex__(2)
    if any(more[1:]):
        raise TypeError("what it holds is put in one by one")
    how = MADE
    if made is copyreg.__newobj__:  # type: ignore[attr-defined]
        how, (made, *given) = NEW, given
    state = more[0] if more else None
    name = f"{made.__module__}:{made.__qualname__}"
    return how, name, write_literal((*given,), left), write_literal(state, left)


def make_again(value: Any) -> Any:
    """The value whose literals these are."""
    if isinstance(value, dict):
        return {make_again(key): make_again(inner) for key, inner in value.items()}
    if not is_made(value):
        return type(value)(map(make_again, value)) if isinstance(value, list | tuple | set) else value
    how, name, given, state = value
    module, _, path = name.partition(":")
    made: Any = importlib.import_module(module)
    for part in path.split("."):
        made = getattr(made, part)
    again = made(*make_again(given)) if how == MADE else made.__new__(made, *make_again(given))
    state = make_again(state)
    if state is not None and hasattr(again, "__setstate__"):
        again.__setstate__(state)
    elif state is not None:
        for some in state if isinstance(state, tuple) else (state,):
            for key, inner in (some or {}).items():
                object.__setattr__(again, key, inner)
    return again


def is_made(value: Any) -> bool:
    """Whether it stands for something that has no literal."""
    return isinstance(value, tuple) and len(value) == 4 and value[0] in (MADE, NEW)


def describe_value(value: Any) -> str:
    """As people write it: Decimal('9.95')."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {describe_value(inner)}" for key, inner in value.items()) + "}"
    if is_made(value):
        given = [describe_value(part) for part in value[2]]
        fields = value[3].items() if isinstance(value[3], dict) else ()
        given += [f"{key}={describe_value(inner)}" for key, inner in fields]
        return f"{value[1].rpartition(':')[2]}({', '.join(given)})"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(describe_value, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    return repr(value)


def watch() -> None:
    """Note each call of a function that stands at the top of a watched file: its arguments, and its result."""
    watched = {str(Path(name).resolve()): name for name in json.loads(os.environ["GRAPHBUS_WATCHED"])}
    out = open(os.environ["GRAPHBUS_CALLS"], "a", encoding="utf-8")  # noqa: SIM115 - for the life of the process
    begun: dict[int, str] = {}
    names: dict[str, str | None] = {}  # by the name that code has: each function of every library comes by here

    def note(frame: FrameType, event: str, result: Any) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_filename not in names:
            names[code.co_filename] = watched.get(os.path.realpath(code.co_filename))
        name = names[code.co_filename]
        if name is None or code.co_qualname != code.co_name or code.co_name.startswith("<") or code.co_flags & 0x2AC:
            return
        with contextlib.suppress(ValueError, SyntaxError, TypeError, AttributeError, RecursionError):
            if event == "call":
                count = code.co_argcount + code.co_kwonlyargcount
                arguments = {key: frame.f_locals[key] for key in code.co_varnames[:count]}
                line = repr((name, code.co_name, write_literal(arguments, iter(range(MAX_PARTS)))))
                ast.literal_eval(line)
                begun[id(frame)] = line
            elif (line := begun.pop(id(frame), "")) and len(line) <= MAX_CHARS:
                out.write(json.dumps([line, json.dumps(result, sort_keys=True)]) + "\n")
                out.flush()

    sys.setprofile(note)


if __name__ == "__main__" and not os.environ.get("GRAPHBUS_CALLS"):
    if sys.argv[1:2] == ["call"]:
        call(marshal.loads(sys.stdin.buffer.read()), Path(sys.argv[2]))
    else:
        lead()
