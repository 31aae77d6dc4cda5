"""Runs functions of a tree on many inputs and tells what could be seen. Runs confined; the other end is `compare.py`.

Standard input is the order, as JSON. The last line on standard output is the answer. With `record`, the inputs are
looked for here; otherwise they come with the order. Each call has a process of its own, so that none sees another's
traces.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import importlib
import inspect
import io
import json
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any

from .ground import GROUND
from .inputs import Pools, draw_call, read_asked, read_keys
from .patience import Alarm
from .recorder import record
from .values import MISUSE, Encoder, Recipe, build, dump, dump_error, dump_untouched, dump_yield, find_change, finish

MAX_ROUNDS = 12
TRIES = 80  # inputs of a round
TRIES_OF_ONE = 10  # rounds that must be are as many as inputs are enough, by this
LONG = 5  # of those, the longest, where a list may be too long
SEARCH_S = 60.0  # of work, for one function
LATE = time.monotonic() + 240  # from then on, no more rounds than must be: whoever waits for all of it has a limit, too
CALL_S = 2  # for one call
MAX_BENEATH = 40  # calls of functions below it that are told
ROOT = os.getcwd()
Recipes = dict[str, Recipe]
Input = tuple[Recipes, Recipe | None]


def is_own(module: str) -> bool:
    """Whether a module is the project's."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return file.startswith(ROOT + os.sep) and not module.startswith("graphbus_replay")


def name_module(path: str) -> str:
    """The module of a file, from where imports start."""
    full = os.path.join(ROOT, path)
    starts = [p for p in sys.path if p and full.startswith(os.path.join(p, ""))]
    relative = os.path.relpath(full, max(starts, key=len, default=ROOT))
    return relative.removesuffix(".py").removesuffix(os.sep + "__init__").replace(os.sep, ".")


def in_child(work: Callable[[int], None]) -> bytes:
    """What a fork of this process writes before it ends."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            work(writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        data = file.read()
    os.waitpid(child, 0)
    return data


class Watch:
    """What runs below one function: its lines, what each function was given and gave, and `places`: from which line
    those were called that it calls itself."""

    def __init__(self, code: CodeType, watched: set[str]) -> None:
        self.code, self.watched = code, watched
        self.labels: dict[int, int] = {}
        self.lines: set[tuple[str, int]] = set()
        self.beneath: list[Any] = []
        self.yielded: list[Any] = []
        self.places: list[Any] = []

    def trace(self, frame: FrameType, event: str, value: Any) -> Any:
        """Look on, as `sys.settrace` has it."""
        file = frame.f_code.co_filename
        path = file[len(ROOT) + 1 :]
        if not file.startswith(ROOT) or path not in self.watched:
            return None
        self.lines.add((path, frame.f_lineno))
        if event == "call" and frame.f_code is not self.code and len(self.beneath) < MAX_BENEATH:
            self.beneath.append([path, frame.f_code.co_qualname, dump_arguments(frame, self.labels)])
        if event == "return" and frame.f_code is not self.code and len(self.yielded) < MAX_BENEATH:
            result = dump_yield(frame, value, self.labels)
            self.yielded.append([path, frame.f_code.co_qualname, result])
            if frame.f_back is not None and frame.f_back.f_code is self.code:
                self.places.append([frame.f_back.f_lineno, result])
        return self.trace

    def forget(self) -> None:
        """What came before is of no interest, but for the lines that ran."""
        self.beneath, self.yielded, self.places = [], [], []


class Target:
    """A function that is called, as this tree has it. Raises whatever its import raises."""

    def __init__(self, path: str, name: str, then: list[str]) -> None:
        self.module = importlib.import_module(name_module(path))
        matches: Any = self.module
        for part in name.split("."):
            self.owner, matches = (
                matches,
                inspect.getattr_static(matches, part) if inspect.isclass(matches) else getattr(matches, part),
            )
        self.is_method = inspect.isfunction(matches) and inspect.isclass(self.owner)
        self.function = getattr(matches, "__func__", matches)
        if isinstance(self.function, property):
            self.function, self.is_method = self.function.fget, True
        self.name, self.then = name.rpartition(".")[2], then
        self.code: CodeType = inspect.unwrap(self.function).__code__
        self.raised_at = ("", 0)  # where the last error came from
        self.skip = int(inspect.isclass(self.owner) and not isinstance(matches, staticmethod))

    def parse(self) -> Any:
        source = inspect.getsource(self.code)
        lines = source.splitlines(keepends=True)
        indent = len(lines[0]) - len(lines[0].lstrip())
        return ast.parse("".join(line[indent:] if line[:indent].isspace() else line for line in lines)).body[0]

    def call(self, given: Recipes, me: Recipe | None, watched: set[str]) -> dict[str, Any]:
        """One call, and all that could be seen of it."""
        watch = Watch(self.code, watched)
        made: list[Any] = []
        sys.settrace(watch.trace)
        try:
            named = {name: build(recipe, made) for name, recipe in given.items()}
            owner = build(me, made) if me is not None else None
        except BaseException as e:
            GROUND.close()
            return {"end": "unmade", "what": f"{type(e).__name__}: {e}", "lines": []}
        all_given = {**named, **({"self": owner} if me is not None else {})}
        labels = watch.labels
        labels.update({id(value): i for i, value in enumerate(made)})
        visible = {**all_given, **{f"object {i}": value for i, value in enumerate(made)}}
        before = {name: dump(value, labels, (), name.startswith("object ")) for name, value in visible.items()}
        state = dump_state()
        out: dict[str, Any] = {"then": []}
        results: list[Any] = []
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            watch.forget()
            out["end"], out["what"] = self._run(lambda: self._call(owner, named), labels, results)
            out["beneath"], out["yielded"], out["places"] = watch.beneath, watch.yielded, watch.places
            out["raised_at"], called = self.raised_at, frozenset(watch.lines)
            watch.forget()
            for method, value in self._list_then(all_given):
                out["then"].append([method, *self._run(getattr(value, method), labels, [])])
        sys.settrace(None)
        after = {name: dump(value, labels, (), name.startswith("object ")) for name, value in visible.items()}
        out["changed"] = {n: find_change(before[n], after[n]) for n in before if before[n] != after[n]}
        now = dump_state()
        out["state"] = {name: now[name] for name in now if name in state and now[name] != state[name]}
        if out["then"] and results:
            out["after"] = dump(results[0], labels)
        out["said"] = GROUND.hide(printed.getvalue()[:2000])
        out["lines"], out["then_lines"] = sorted(called), sorted(watch.lines - called)
        out["files"] = GROUND.look()
        if out["files"] and out["end"] == "returned":
            watch.lines.clear()
            sys.settrace(watch.trace)
            with contextlib.redirect_stdout(io.StringIO()):
                out["again"] = self._run(lambda: self._call(owner, named), labels, [])
            sys.settrace(None)
            out["again_lines"] = sorted(watch.lines)
        GROUND.close()
        return out

    def _call(self, owner: Any, named: dict[str, Any]) -> Any:
        if owner is not None:
            value = getattr(owner, self.name)
            return value(**named) if callable(value) else value
        if self.skip and self.name == "__init__":
            return self.owner(**named)
        return (getattr(self.owner, self.name) if inspect.isclass(self.owner) else self.function)(**named)

    def _run(self, work: Callable[[], Any], labels: dict[int, int], results: list[Any]) -> tuple[str, Any]:
        self.raised_at = ("", 0)
        try:
            results.append(finish(work()))
            return "returned", dump(results[-1], labels)
        except TookTooLong:
            raise
        except BaseException as e:
            trace = e.__traceback__
            while trace is not None:
                if trace.tb_frame.f_code.co_filename.startswith(ROOT):
                    self.raised_at = (trace.tb_frame.f_code.co_filename[len(ROOT) + 1 :], trace.tb_lineno)
                trace = trace.tb_next
            return "raised", dump_error(e)

    def ask_untouched(self, given: Recipes, me: Recipe | None) -> list[Any]:
        """What the methods that are called afterwards tell without the call."""
        made: list[Any] = []
        all_given = {name: build(recipe, made) for name, recipe in given.items()}
        if me is not None:
            all_given["self"] = build(me, made)
        labels = {id(value): i for i, value in enumerate(made)}
        return [[name, *self._run(getattr(value, name), labels, [])] for name, value in self._list_then(all_given)]

    def _list_then(self, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """Methods that are called afterwards, on what was given: they tell what the call left there."""
        for value in given.values():
            for name in self.then:
                owner, _, method = name.rpartition(".")
                if type(value).__qualname__ == owner and not method.startswith("__"):
                    yield method, value


def dump_arguments(frame: FrameType, labels: dict[int, int]) -> dict[str, Any]:
    """What a function that was just entered was given."""
    code = frame.f_code
    rest = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + rest]
    return {name: dump_untouched(frame.f_locals[name], labels) for name in names if name in frame.f_locals}


def dump_state() -> dict[str, Any]:
    """The values of the project's modules."""
    return {
        f"{module}.{name}": dump(value)
        for module in list(sys.modules) if is_own(module) and ".test" not in f".{module}"
        for name, value in vars(sys.modules[module]).items()
        if not name.startswith("__") and not callable(value) and not inspect.ismodule(value)
    }  # fmt: skip


def start_silent() -> None:
    """Say nothing from here on: what the code prints is not an answer."""
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)


class TookTooLong(BaseException):
    """A call that did not end in time; nothing that the code catches."""


def call_all(target: Target, inputs: Sequence[Input], watched: set[str]) -> list[dict[str, Any]]:
    """Calls one after the other, in one process of their own: a look at which inputs there are."""

    def work(out: int) -> None:
        start_silent()
        alarm = Alarm(CALL_S, TookTooLong)
        with os.fdopen(out, "w") as file:
            for values, me in inputs:
                try:
                    alarm.start()
                    outcome = target.call(values, me, watched)
                except BaseException:
                    outcome = {"end": "lost", "what": "", "lines": []}
                alarm.stop()
                sys.settrace(None)
                file.write(json.dumps(outcome, default=str) + "\n")

    lines = in_child(work).decode().splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def call_apart(target: Target, given: Recipes, me: Recipe | None, watched: set[str]) -> dict[str, Any]:
    """One call in a process of its own; with what is asked afterwards, as it is without the call."""
    outcomes = call_all(target, [(given, me)], watched)
    outcome = outcomes[0] if outcomes else {"end": "lost", "what": "", "lines": []}
    if outcome.get("then"):
        data = in_child(lambda out: ask_silently(target, given, me, out))
        outcome["untouched"] = json.loads(data) if data else []
    return outcome


def ask_silently(target: Target, given: Recipes, me: Recipe | None, out: int) -> None:
    """Ask what is asked after a call without that call, and write the answers to a descriptor."""
    start_silent()
    Alarm(CALL_S, TookTooLong).start()
    try:
        answers = json.dumps(target.ask_untouched(given, me), default=str)
    finally:
        GROUND.close()
    with os.fdopen(out, "w") as file:
        file.write(answers)


def measure_work() -> float:
    """Seconds of processor of this process and of those that it started, however busy the machine is."""
    return sum(os.times()[:4])


def search(target: Target, pools: Pools, seen: dict[str, Any], watched: set[str], enough: int) -> list[dict[str, Any]]:
    """Inputs that the function works on, about as many as are enough, with what was seen; each gave the same twice."""
    own = [dict(call) for call in seen.get(f"{target.module.__name__}:{target.code.co_qualname}", [])]
    keys = read_keys(target.parse())
    known: set[str] = set()
    works: list[tuple[Input, dict[str, Any]]] = []
    inputs: list[Input] = [] if target.is_method else [(call, None) for call in own]
    ends: set[str] = set()
    end = measure_work() + SEARCH_S
    for i in range(MAX_ROUNDS):
        while len(inputs) < TRIES:
            inputs.append(draw_input(target, pools, own, keys))
        fresh = list({text: drawn for drawn in inputs if (text := json.dumps(drawn)) not in known}.values())
        known |= {json.dumps(drawn) for drawn in fresh}
        for drawn, out in zip(fresh, call_all(target, fresh, watched)):  # noqa: B905 -- a lost child told fewer
            if out["end"] == "returned" or (out["end"] == "raised" and out["what"][1] not in MISUSE):
                works.append((drawn, out))
                ends.add(json.dumps([out["end"], out["what"]]))
                if out["end"] == "returned":
                    own.append(drawn[0])
                    pools.note_proven(drawn[1])
            elif out["end"] == "lost":
                end -= CALL_S  # it may have waited for nothing
        inputs = []
        pools.wildness = 0.35 if len(ends) > 1 else 0.7
        is_enough = time.monotonic() > LATE or (len(works) >= enough and len(ends) > 1)
        if measure_work() > end or (i >= enough // TRIES_OF_ONE and is_enough):
            break
    matches = []
    longest = sorted(works, key=lambda work: -len(json.dumps(work[0])))[:LONG] if pools.sizes else []
    for (values, me), _ in [*longest, *choose_telling(works)][:enough]:
        first, second = (call_apart(target, values, me, watched) for _ in range(2))
        for what in ("beneath", "yielded", "places"):
            if first.get(what) != second.get(what):
                first[what] = second[what] = []  # that tells nothing
        if first["end"] in ("returned", "raised") and first == second:
            matches.append({"given": values, "me": me, "seen": first})
    return matches


def draw_input(target: Target, pools: Pools, own: list[Recipes], keys: dict[str, list[str]]) -> Input:
    values = draw_call(pools, target.function, own, keys, target.skip)
    is_bound = target.is_method and target.name != "__init__"
    return values, pools.draw_owner(target.owner) if is_bound else None


def choose_telling(works: list[tuple[Input, dict[str, Any]]]) -> list[tuple[Input, dict[str, Any]]]:
    """Those that ran a new line or came to a new end first; bounded."""
    lines: set[str] = set()
    ends: set[str] = set()
    telling: list[tuple[Input, dict[str, Any]]] = []
    others: list[tuple[Input, dict[str, Any]]] = []
    for drawn, out in works:
        new_lines = {json.dumps(line) for line in (*out["lines"], *out.get("then_lines", ()))}
        end = json.dumps([out["end"], out["what"]])
        (telling if new_lines - lines or end not in ends else others).append((drawn, out))
        lines |= new_lines
        ends.add(end)
    return [*telling, *others]


def run_target(order: dict[str, Any], wanted: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """What one function gives: inputs found here, or those of the order."""
    watched = set(order["watched"])
    try:
        for path in order["watched"]:
            with contextlib.suppress(Exception):
                importlib.import_module(name_module(path))
        target = Target(wanted["path"], wanted["name"], wanted["then"])
    except BaseException as e:
        return {"failed": f"{type(e).__name__}: {e}"}
    if "inputs" in wanted:
        calls = [{**call, "seen": call_apart(target, call["given"], call["me"], watched)} for call in wanted["inputs"]]
    else:
        modules = [m for m in sys.modules.values() if is_own(m.__name__)]
        classes = {
            c for m in modules for c in vars(m).values()
            if inspect.isclass(c) and is_own(c.__module__) and not issubclass(c, BaseException)
        }  # fmt: skip
        ordered = sorted(classes, key=lambda c: (c.__module__, c.__qualname__))
        pools = Pools(values, order["literals"], ordered, target.parse(), order["seed"])
        pools.sizes = order["sizes"]
        pools.asked[target.name] = read_asked(target.parse())
        calls = search(target, pools, values, watched, order["enough"])
    parameters = len(inspect.signature(target.function).parameters) - target.skip
    return {"calls": calls, "parameters": parameters + target.is_method}


def main() -> None:
    order = json.load(sys.stdin)
    sys.path[:] = [p for p in sys.path if p]
    if "rehearse" in order:
        answers = [in_child(lambda out: run_variants_silently(order, out)) for _ in range(order["rehearse"])]
        if "produce" in order:
            with open_ground():
                answers.append(in_child(lambda out: list_products_silently(order, out)) if order["produce"] else b"")
        write_answer(order, [json.loads(text or "{}") for text in answers])
        return
    values: dict[str, Any] = {}
    if order["record"]:
        # What the tests leave behind in files would be there on this tree alone.
        with contextlib.suppress(ValueError), open_ground():
            values = json.loads(in_child(lambda out: record(ROOT, order["tests"], Encoder(is_own), out)))
    write_answer(order, [run_target(order, wanted, values) for wanted in order["functions"]])


@contextlib.contextmanager
def open_ground() -> Iterator[None]:
    """A folder for the files of tests that are looked at."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = GROUND.recorded = os.path.realpath(folder)
        try:
            yield
        finally:
            del os.environ["TMPDIR"]
            tempfile.tempdir = None


def list_products_silently(order: dict[str, Any], out: int) -> None:
    """Run tests and write what the project made to a descriptor."""
    from .products import list_products

    start_silent()
    list_products(ROOT, order["produce"], Encoder(is_own), out)


def run_variants_silently(order: dict[str, Any], out: int) -> None:
    """Run variants of tests and write what they saw to a descriptor."""
    from .rehearsal import run_variants

    start_silent()
    with os.fdopen(out, "w") as file:
        json.dump(run_variants(ROOT, order), file, default=str)


def write_answer(order: dict[str, Any], answers: list[Any]) -> None:
    text = base64.b85encode(zlib.compress(json.dumps(answers).encode())).decode()
    sys.stdout.write(f"\n{order['mark']} {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
