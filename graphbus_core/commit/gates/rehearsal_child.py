"""The half of a rehearsal that runs in the sandbox: calls methods with given payloads and says what happened.

Takes `[{"module", "class", "method", "payloads", "fields", "output", "topics", "answers"}]` as JSON on standard input,
and writes one list of findings a call, as JSON, to standard output. It trusts nothing that it runs: what the code
prints goes nowhere, and whoever started this bounds its time and memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from typing import Any

# What says that code and payload do not fit. Any other exception may be the code's good right.
BREAKS = (TypeError, KeyError, IndexError, AttributeError, NameError)
CALL_LIMIT_S = 0.5  # of processor, for one payload: a legal zero may be what a loop never ends with


class _RecordingBus:
    """Stands for the bus: keeps what is published."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.published: list[tuple[str, Any]] = []
        self.answers = answers

    def publish(self, topic: str, payload: Any = None, source: str = "", **_: Any) -> None:
        self.published.append((topic, payload))

    async def apublish(self, topic: str, payload: Any = None, source: str = "", **_: Any) -> None:
        self.published.append((topic, payload))

    def call(self, node: str, method: str, *_: Any, **__: Any) -> Any:
        """What the contract of that method promises: a rehearsal has no other node."""
        if (name := f"{node}.{method}") not in self.answers:
            raise _NotHere(f"it calls {name}, whose contract says nothing of what it gives")
        return self.answers[name]

    def context(self) -> dict[str, Any]:
        return {}

    async def acall(self, node: str, method: str, *_: Any, **__: Any) -> Any:
        return self.call(node, method)


class _NotHere(Exception):
    """A call whose answer nobody knows here."""


class _TooLongError(BaseException):
    """A call that does not come back."""


@contextlib.contextmanager
def _limit_processor_time() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLongError

    was = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CALL_LIMIT_S, CALL_LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, was)


def main() -> None:
    """Rehearse every call, and write what was found."""
    calls = json.loads(sys.stdin.buffer.read())
    out, sys.stdout = sys.stdout, io.StringIO()
    findings = [[_try_call(call, payload) for payload in call["payloads"]] for call in calls]
    json.dump(findings, out)
    out.flush()
    os._exit(0)  # threads of the code must not keep this alive


def _try_call(call: Mapping[str, Any], payload: Mapping[str, Any]) -> str | None:
    recorder = _RecordingBus(call.get("answers", {}))
    try:
        node = _create_node(call, recorder)
        method = getattr(node, call["method"])
    except BaseException as e:
        return f"not tried: {type(e).__name__}: {e}"
    try:
        with contextlib.redirect_stderr(io.StringIO()), _limit_processor_time():
            result = _call_method(method, payload, call.get("payload_parameter"), call.get("fields", ()))
    except BREAKS as e:
        return f"{type(e).__name__}: {e}{_find_place(e)}"
    except ImportError as e:
        return f"not tried: {type(e).__name__}: {e}"
    except _NotHere as e:
        return f"not tried: NotHere: {e}"
    except _TooLongError:
        return "TooLong: it does not come back"
    except BaseException:
        return None  # the code's good right: it was called, and said no
    return _find_broken_promise(call, result, recorder)


def _create_node(call: Mapping[str, Any], recorder: _RecordingBus) -> Any:
    cls = getattr(import_module(call["module"]), call["class"])
    parameters = inspect.signature(cls.__init__).parameters
    arguments = {k: v for k, v in {"bus": recorder, "memory": None}.items() if k in parameters}
    node = cls(**arguments)
    node.bus, node._caller = recorder, recorder
    return node


def _find_place(error: BaseException) -> str:
    """The last line of the project that the error went through: `, at agents/cleaner.py:40 (article = ...)`."""
    folder = os.getcwd() + os.sep
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(folder)]
    if not frames:
        return ""
    return f", at {frames[-1].filename.removeprefix(folder)}:{frames[-1].lineno} (`{frames[-1].line}`)"


def _call_method(
    method: Callable[..., Any],
    payload: Mapping[str, Any],
    payload_parameter: str | None = None,
    fields: Collection[str] = (),
) -> Any:
    """`fields`: what its contract takes. A lone parameter of another name takes the payload whole."""
    parameters = list(inspect.signature(method).parameters.values())
    plain = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    names = {p.name for p in plain}
    if payload_parameter is not None:  # a handler: the payload, or topic and payload
        result = method(*(["/topic"] if plain[0].name != payload_parameter else []), payload)
    elif len(plain) == 1 and not names & {*payload, *fields}:
        result = method(dict(payload))
    elif any(p.kind is p.VAR_KEYWORD for p in parameters):
        result = method(**payload)
    else:
        result = method(**{k: v for k, v in payload.items() if k in names})
    return asyncio.run(result) if inspect.iscoroutine(result) else result


def _find_broken_promise(call: Mapping[str, Any], result: Any, recorder: _RecordingBus) -> str | None:
    from graphbus_core.contracts import validator

    if call.get("output") is not None and (wrong := validator(call["output"]).check(result)) is not None:
        return f"gives what its contract does not promise: {wrong}"
    for topic, payload in recorder.published:
        schema = call.get("topics", {}).get(topic)
        if schema is not None and (wrong := validator(schema).check(payload)) is not None:
            return f"publishes to {topic} what its contract does not promise: {wrong}"
    return None


if __name__ == "__main__":
    main()
