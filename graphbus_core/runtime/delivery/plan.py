"""A delivery plan: the subscribers of one topic at one moment, compiled to a function that calls them in order.

A loop costs about a quarter of an empty call for every handler; straight-line code costs nothing. The source of a plan
depends on the handlers' forms alone, so it is compiled once for each sequence of forms and shared. So many lines stand
for one handler, so that the line of a traceback tells which handler raised, and no handler needs a `try` of its own.
What a handler gives back is looked at where it is not None: a plain function may have given a coroutine (`Returned`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType, TracebackType
from typing import Any

from graphbus_core.model.message import Event
from graphbus_core.runtime.handling.handlers import PLAIN, Form, Retry, to_await

CHUNK = 200  # handlers in one compiled function; more are grouped, so that compiling stays quick
_FILE = "<graphbus plan>"
_CALLS = {
    Form.NOTHING: "h{i}()",
    Form.PAYLOAD: "h{i}(p)",
    Form.EVENT: "h{i}(e)",
    Form.TOPIC_AND_PAYLOAD: "h{i}(e.topic, p)",
}


@dataclass(frozen=True, eq=False)
class Subscriber:
    """One subscription. `call` is what a plan calls, with what `form` says; `handler` is what was registered."""

    number: int  # order of registration, across topics and patterns
    topic: str
    name: str
    handler: Callable[..., Any]
    call: Callable[..., Any]
    deliver: Callable[[Event], Any]  # the same, always given the event
    form: Form
    is_async: bool
    owner: object = None  # the node, where it is a node's method
    handler_name: str = ""
    retry: Retry | None = None


LATE = object()
Returned = Callable[[Subscriber, Any], None]  # told what a sync handler gave back, where that is to be awaited


@dataclass(frozen=True, eq=False)
class Plan:
    """What happens to an event of `topic`. `run` takes the event, or the payload where no handler wants the event.

    `run` calls the sync handlers and gives LATE where something that they returned is to be awaited; `single`: it is
    the only handler itself, and gives what that returns. `arun` awaits all handlers in order. `n` is the number of
    handlers. `noted` is the plan of an event whose payload check was made, and warned, when it was published.
    """

    topic: str
    subscribers: tuple[Subscriber, ...]
    sync: tuple[Subscriber, ...]
    pending: tuple[Subscriber, ...]  # the async ones
    wants_event: bool
    run: Callable[[Any], Any]
    arun: Callable[[Event], Any] | None
    check: Callable[[dict[str, Any]], Any] | None
    n: int
    single: bool = False
    noted: Plan | None = None


def compile_plan(
    topic: str,
    subscribers: Sequence[Subscriber],
    check: Callable[[dict[str, Any]], Any] | None = None,
    violated: Callable[[Event, Any], None] | None = None,
    returned: Returned | None = None,
) -> Plan:
    """Compile the plan of a topic. With `check`, `violated(event, violation)` is called before any handler.

    `returned(subscriber, value)` is called with what a sync handler gave back, where that can be awaited.
    """
    subscribers = tuple(subscribers)
    sync = tuple(s for s in subscribers if not s.is_async)
    wants_event = check is not None or any(s.form in (Form.EVENT, Form.TOPIC_AND_PAYLOAD) for s in sync)
    single = check is None and len(sync) == 1 and sync[0].form in (Form.EVENT, Form.PAYLOAD)
    if single:
        run = sync[0].call  # nothing is quicker than the handler itself
    elif check is None and len(sync) > CHUNK:
        run = _grouped(sync, wants_event, returned)
    else:
        run = _straight(sync, wants_event, returned, check, violated)
    arun = None
    if len(sync) < len(subscribers):
        arun = _factory(_forms(subscribers), tuple(s.is_async for s in subscribers), True, False)(
            None, None, to_await, PLAIN, *(s.call for s in subscribers)
        )
    pending = tuple(s for s in subscribers if s.is_async)
    return Plan(topic, subscribers, sync, pending, wants_event, run, arun, check, len(subscribers), single)


def failed_at(error: BaseException, ran: Any) -> int:
    """Which handler of `ran` (`plan.run` or `plan.arun`) raised: its index among those that `ran` calls.

    -1 where the error came before the first of them.
    """
    if not _is_ours(ran):
        return 0  # the handler itself
    groups = _groups(ran)
    codes = {f.__code__ for f in (ran, *groups)}
    group = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code in codes:
            code = step.tb_frame.f_code
            line = (step.tb_lineno - _first_line(code)) // int(code.co_name.split("_")[1])
            if group is not None or not groups:
                return line + (group or 0) * CHUNK
            group = line
        step = step.tb_next
    return 0


def _is_ours(function: Any) -> bool:
    return isinstance(function, FunctionType) and function.__code__.co_filename == _FILE


def _groups(function: Any) -> tuple[Any, ...]:
    return tuple(vars(function).get("groups", ()))


def _first_line(code: CodeType) -> int:
    # "def make" is line 1, "def run" line 2; the lines up to the first handler are counted in the function's name
    return 3 + int(code.co_name.rpartition("_")[2])


def _forms(subscribers: Sequence[Subscriber]) -> tuple[Form, ...]:
    return tuple(s.form for s in subscribers)


def _straight(
    subscribers: Sequence[Subscriber],
    wants_event: bool,
    returned: Returned | None,
    check: Callable[[dict[str, Any]], Any] | None = None,
    violated: Callable[[Event, Any], None] | None = None,
) -> Callable[[Any], Any]:
    def kept(index: int, value: Any) -> bool:
        if returned is None or not to_await(value):
            return False
        returned(subscribers[index], value)
        return True

    make = _factory(_forms(subscribers), None, wants_event, check is not None)
    run: Callable[[Any], Any] = make(check, violated, kept, PLAIN, *(s.call for s in subscribers))
    return run


def _grouped(subscribers: Sequence[Subscriber], wants_event: bool, returned: Returned | None) -> Callable[[Any], Any]:
    groups = [_straight(subscribers[i : i + CHUNK], wants_event, returned) for i in range(0, len(subscribers), CHUNK)]
    form = Form.EVENT if wants_event else Form.PAYLOAD
    make = _factory((form,) * len(groups), None, wants_event, False)
    run: Callable[[Any], Any] = make(None, None, lambda index, value: True, (), *groups)
    run.groups = groups  # type: ignore[attr-defined]
    return run


@lru_cache(maxsize=512)
def _factory(
    forms: tuple[Form, ...], awaited: tuple[bool, ...] | None, wants_event: bool, checked: bool
) -> Callable[..., Any]:
    before: list[str] = []
    if wants_event and (checked or any(f in (Form.PAYLOAD, Form.TOPIC_AND_PAYLOAD) for f in forms)):
        before.append("p = e.payload")
    if checked:
        before += ["v = check(p)", "if v is not None: violated(e, v)"]
    calls = [_CALLS[form].format(i=i) for i, form in enumerate(forms)]
    stride = 1
    if awaited is None:
        stride = 2  # storing and testing in two lines is quicker than in one expression
        looked = "if r is not None and type(r) not in plain and kept({i}, r): late = LATE"
        calls = [line for i, call in enumerate(calls) for line in (f"r = {call}", looked.format(i=i))]
        before.append("late = None")
    else:
        looked = "if (r := {call}) is not None and type(r) not in plain and kept(r): await r"
        calls = [
            f"await {call}" if wait else looked.format(call=call) for call, wait in zip(calls, awaited, strict=True)
        ]
    name = f"run_{stride}_{len(before)}"
    last = "return late" if awaited is None else "return None"
    body = "\n".join(f"  {line}" for line in [*before, *calls, last])
    parameters = ", ".join(["check", "violated", "kept", "plain", *(f"h{i}" for i in range(len(forms)))])
    kind = "def" if awaited is None else "async def"
    source = (
        f"def make({parameters}):\n {kind} {name}({'e' if wants_event or awaited else 'p'}):\n{body}\n return {name}\n"
    )
    namespace: dict[str, Any] = {"LATE": LATE}
    exec(compile(source, _FILE, "exec"), namespace)  # our own text, made of integers and fixed words
    made: Callable[..., Any] = namespace["make"]
    return made
