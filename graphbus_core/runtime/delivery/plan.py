"""A delivery plan: the subscribers of one topic at one moment, compiled to a function that calls them in order.

A loop costs about a quarter of an empty call for every handler; straight-line code costs nothing. The source of a plan
depends on the handlers' forms alone, so it is compiled once for each sequence of forms and shared. So many lines stand
for one handler, so that the line of a traceback tells which handler raised, and no handler needs a `try` of its own.
What a handler gives back is looked at where it is not None: a plain function may have given a coroutine (`OnReturned`).

A plan is `Subscriber.handle` for handlers that just work: who raises is judged by `Subscriber.judge` (`machine`).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.handlers import PLAIN, Form, is_awaitable
from graphbus_core.runtime.subscriptions.key_order import KeyOrder
from graphbus_core.runtime.subscriptions.subscriber import Subscriber

CHUNK = 200  # handlers in one compiled function; more are grouped, so that compiling stays quick
PLAN_FILE = "<graphbus plan>"
MAX_STEPS = 200  # of a handler's own stack, on the way from a publish in it to the plan that called it
_CALLS = {
    Form.NOTHING: "h{i}()",
    Form.PAYLOAD: "h{i}(p)",
    Form.EVENT: "h{i}(e)",
    Form.TOPIC_AND_PAYLOAD: "h{i}(e.topic, p)",
}


LATE = object()
OnViolation = Callable[[Event, Any], None]  # told of a payload that broke its contract; raises where that is enforced
OnReturned = Callable[[Subscriber, Any], None]  # told what a sync handler gave back, where that is to be awaited


@dataclass(frozen=True, eq=False)
class DeliveryPlan:
    """What happens to an event of `topic`. `run` takes the event, or the payload where no handler wants the event.

    `run` calls the sync handlers and gives LATE where something that they returned is to be awaited; `single`: it is
    the only handler itself, and gives what that returns. `arun` awaits all handlers in order; it takes the event, or
    the payload where `awants_event` says no. `n` is the number of handlers. `noted` is the plan of an event whose
    payload check was made, and warned, when it was published.
    """

    topic: str
    subscribers: tuple[Subscriber, ...]
    sync: tuple[Subscriber, ...]
    pending: tuple[Subscriber, ...]  # the async ones
    wants_event: bool
    run: Callable[[Any], Any]
    arun: Callable[[Any], Any] | None
    awants_event: bool
    check: Callable[[dict[str, Any]], Any] | None
    n: int
    single: bool = False
    noted: DeliveryPlan | None = None

    @cached_property
    def orders(self) -> tuple[KeyOrder, ...]:
        """Those of handlers that take the events of a key in order."""
        return tuple(s.order for s in self.subscribers if s.order is not None)

    @cached_property
    def durables(self) -> frozenset[str]:
        """The durable names of all handlers."""
        return frozenset(s.durable for s in self.subscribers)


def compile_plan(
    topic: str,
    subscribers: Sequence[Subscriber],
    check: Callable[[dict[str, Any]], Any] | None = None,
    violated: OnViolation | None = None,
    returned: OnReturned | None = None,
) -> DeliveryPlan:
    """Compile the plan of a topic. `check` is that of its payloads: `run` makes it first; `arun` leaves it to others.

    `returned(subscriber, value)` is called with what a sync handler gave back, where that can be awaited.
    """
    subscribers = tuple(subscribers)
    sync = tuple(s for s in subscribers if not s.is_async)
    wants_event = check is not None or any(s.form in (Form.EVENT, Form.TOPIC_AND_PAYLOAD) for s in sync)
    single = check is None and len(sync) == 1 and sync[0].form in (Form.EVENT, Form.PAYLOAD)
    if single:
        run = sync[0].call  # nothing is quicker than the handler itself
    elif len(sync) > CHUNK:
        run = _compile_grouped(sync, wants_event, returned, check, violated)
    else:
        run = _compile_straight(sync, wants_event, returned, check, violated)
    pending = tuple(s for s in subscribers if s.is_async)
    arun, awants_event = None, True
    if pending and len(subscribers) == 1 and pending[0].form in (Form.EVENT, Form.PAYLOAD):
        arun, awants_event = _make_coroutine_function(pending[0].call), pending[0].form is Form.EVENT
    elif pending:
        make = _compile_factory(_list_forms(subscribers), tuple(s.is_async for s in subscribers), True, False)
        arun = make(None, None, is_awaitable, PLAIN, *(s.call for s in subscribers))
    checked_plan = compile_plan(topic, subscribers, returned=returned) if check is not None else None
    return DeliveryPlan(
        topic,
        subscribers,
        sync,
        pending,
        wants_event,
        run,
        arun,
        awants_event,
        check,
        len(subscribers),
        single,
        checked_plan,
    )


def _make_coroutine_function(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`call`, of which nothing runs before it is awaited: a plain function that gives something to await does more."""
    if inspect.iscoroutinefunction(call):
        return call

    async def call_and_await(given: Any) -> Any:
        return await call(given)

    return call_and_await


def find_running(plan: DeliveryPlan, *, awaited: bool) -> Subscriber | None:
    """Which handler of `plan` runs on this stack, or None where it cannot be told (a task or thread of its own)."""
    ran = plan.arun if awaited else plan.run
    subscribers = plan.subscribers if awaited else plan.sync
    if not _is_plan_function(ran):
        return subscribers[0] if len(subscribers) == 1 else None
    codes = {f.__code__: i for i, f in enumerate((ran, *_get_groups(ran)))}
    step: FrameType | None = sys._getframe(2)
    for _ in range(MAX_STEPS):
        if step is None:
            return None
        if step.f_code in codes:
            code = step.f_code
            line = (step.f_lineno - _compute_first_line(code)) // int(code.co_name.split("_")[1])
            return _find_in_group(subscribers, ran, step, line)
        step = step.f_back
    return None


def _find_in_group(subscribers: tuple[Subscriber, ...], ran: Any, step: FrameType, line: int) -> Subscriber | None:
    """The handler at `line` of the plan; with groups, of the group that the plan is at."""
    if not _get_groups(ran):
        return subscribers[line] if line < len(subscribers) else None
    outer = step.f_back
    while outer is not None and outer.f_code is not ran.__code__:
        outer = outer.f_back
    if outer is None:
        return None
    group = (outer.f_lineno - _compute_first_line(outer.f_code)) // int(outer.f_code.co_name.split("_")[1])
    return subscribers[group * CHUNK + line]


def find_failed(error: BaseException, ran: Any) -> int:
    """Which handler of `ran` (`plan.run` or `plan.arun`) raised: its index among those that `ran` calls.

    -1 where the error came from the check before them.
    """
    if not _is_plan_function(ran):
        return 0  # the handler itself
    groups = _get_groups(ran)
    codes = {f.__code__ for f in (ran, *groups)}
    group = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code in codes:
            code = step.tb_frame.f_code
            line = (step.tb_lineno - _compute_first_line(code)) // int(code.co_name.split("_")[1])
            if group is not None or not groups:
                return line + (group or 0) * CHUNK
            group = line
        step = step.tb_next
    return 0


def unwrap_stop_iteration(error: BaseException, ran: Any) -> BaseException:
    """The StopIteration of a plain handler that `ran`, a coroutine, called: Python makes it a RuntimeError there."""
    cause = error.__cause__
    if type(error) is RuntimeError and isinstance(cause, StopIteration) and _is_plan_function(ran):
        step = cause.__traceback__
        if step is not None and step.tb_frame.f_code is ran.__code__:
            return cause
    return error


def _is_plan_function(function: Any) -> bool:
    return isinstance(function, FunctionType) and function.__code__.co_filename == PLAN_FILE


def _get_groups(function: Any) -> tuple[Any, ...]:
    return tuple(vars(function).get("groups", ()))


def _compute_first_line(code: CodeType) -> int:
    # "def make" is line 1, "def run" line 2; the lines up to the first handler are counted in the function's name
    return 3 + int(code.co_name.rpartition("_")[2])


def _list_forms(subscribers: Sequence[Subscriber]) -> tuple[Form, ...]:
    return tuple(s.form for s in subscribers)


Check = Callable[[dict[str, Any]], Any] | None


def _compile_straight(
    subscribers: Sequence[Subscriber],
    wants_event: bool,
    returned: OnReturned | None,
    check: Check = None,
    violated: OnViolation | None = None,
) -> Callable[[Any], Any]:
    def keep_awaitable(index: int, value: Any) -> bool:
        if returned is None or not is_awaitable(value):
            return False
        returned(subscribers[index], value)
        return True

    make = _compile_factory(_list_forms(subscribers), None, wants_event, check is not None)
    run: Callable[[Any], Any] = make(check, violated, keep_awaitable, PLAIN, *(s.call for s in subscribers))
    return run


def _compile_grouped(
    subscribers: Sequence[Subscriber],
    wants_event: bool,
    returned: OnReturned | None,
    check: Check,
    violated: OnViolation | None,
) -> Callable[[Any], Any]:
    groups = [
        _compile_straight(subscribers[i : i + CHUNK], wants_event, returned) for i in range(0, len(subscribers), CHUNK)
    ]
    form = Form.EVENT if wants_event else Form.PAYLOAD
    make = _compile_factory((form,) * len(groups), None, wants_event, check is not None)
    run: Callable[[Any], Any] = make(check, violated, lambda index, value: True, (), *groups)
    run.groups = groups  # type: ignore[attr-defined]
    return run


@lru_cache(maxsize=512)
def _compile_factory(
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
    exec(compile(source, PLAN_FILE, "exec"), namespace)  # our own text, made of integers and fixed words
    make_function: Callable[..., Any] = namespace["make"]
    return make_function
