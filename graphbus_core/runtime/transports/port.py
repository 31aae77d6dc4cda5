"""The port of a transport: what a broker must be able to do for a runtime, and what the runtime does for it."""

from __future__ import annotations

import builtins
import json
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from concurrent import futures
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from graphbus_core import errors
from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.errors import BadPayload, ConfigError, PayloadRejected, RemoteError
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.payloads import describe_error, find_non_json
from graphbus_core.runtime.subscriptions.subscriber import Verdict

if TYPE_CHECKING:
    from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
    from graphbus_core.runtime.transports.nats.retirement import BusConsumers
    from graphbus_core.runtime.transports.nats.transport import NatsTransport

# The transport that a URL asks for. The library behind it is imported here, and nowhere before.


def create_transport(
    url: str, artifacts: str | Path, *, beside: bool = False, allow_server: bool = False
) -> NatsTransport:
    """The transport for a build. Raises ConfigError for what is not a URL, ModuleNotFoundError without the extra."""
    import nats  # noqa: F401  # before anything is started: the command says which extra brings it

    from graphbus_core.artifacts import ArtifactFolder
    from graphbus_core.runtime.transports.nats.connection import BusSettings
    from graphbus_core.runtime.transports.nats.space import SharedBuild
    from graphbus_core.runtime.transports.nats.transport import NatsTransport

    _check_scheme(url)
    settings = BusSettings.from_environment(url)
    if allow_server:
        settings = replace(settings, allow_server=True)
    return NatsTransport(settings, build=SharedBuild.from_folder(ArtifactFolder(artifacts), beside=beside))


def create_dead_letters(url: str) -> BusDeadLetters:
    """The dead letters of a bus."""
    from graphbus_core.runtime.transports.nats.connection import BusSettings
    from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters

    _check_scheme(url)
    return BusDeadLetters(BusSettings(url))


def create_bus_consumers(url: str) -> BusConsumers:
    """The consumers of a bus."""
    from graphbus_core.runtime.transports.nats.connection import BusSettings
    from graphbus_core.runtime.transports.nats.retirement import BusConsumers

    _check_scheme(url)
    return BusConsumers(BusSettings(url))


def _check_scheme(url: str) -> None:
    if "://" in url and url.partition("://")[0] not in ("nats", "tls", "ws", "wss"):
        raise ConfigError(f"{url!r} is not a bus that GraphBus knows; use nats://host:4222, or nats://host:4222/space.")


# Theory of operation
# -------------------
#
# A runtime decides; a transport carries. What becomes of an event for one handler is a `Verdict`, made in one place
# (`handling.subscriber`). A transport brings the event, asks for the verdict, and does what it says:
#
#       verdict = await consumer.ahandle(event, attempt)
#
#       DONE      acknowledge: this durable name never gets the event again
#       RETRY     bring it again after `after_s`, with `attempt + 1`
#       DEAD      keep it where dead letters are kept, then acknowledge
#       STOPPED   do not acknowledge, and raise `verdict.error` on: whoever runs the handler is being stopped
#
# The transport owns the acknowledgement, so it owns at-least-once. The runtime owns everything that is the same
# over every transport: ids, causes, checks at the border, bounds, middleware, counts, what a failure means.
#
# What a handler publishes is handed over while it runs and confirmed before its own verdict: `ahandle` returns when
# every consequence is stored. So an event is never acknowledged whose consequences a crash could still lose, and a
# handler that publishes a thousand events waits once and not a thousand times.
#
# Ids: an event made outside of handlers has a number of its run. A consequence has an id that follows from (cause,
# handler, topic, ordinal): a second attempt makes the same ids, and a broker that knows ids drops the second copy.
#
# The order of a life:
#
#       consume, reply ...   while nodes are connected; also later, for a handler that is added to a running bus
#       open                 connect. When it returns, every durable name exists: what is published now is kept for it
#       (on_start of nodes)  they may publish and call
#       start                events and calls may reach the nodes
#       drain                no new events and calls; what is under way ends
#       (on_stop of nodes)   they may publish and call
#       close                everything handed over is sent; disconnect
#
# The coroutines run on the bus's home loop, and no other. `publish` may be called from any thread.


class EventHandler(Protocol):
    """Gives an event to one handler, and says what becomes of it. Raises nothing; never AWAIT."""

    def __call__(self, event: Event, attempt: int = 1) -> Awaitable[Verdict]: ...


class CallHandler(Protocol):
    """Runs a direct call and gives its result. Raises what the method raises, UnknownMethod, PayloadRejected."""

    def __call__(self, message: Message, timeout_s: float | None) -> Awaitable[Any]: ...


class BatchHandler(Protocol):
    """As Handle for each of these in their order, as far as a slice of time allows: a verdict for the first ones, for
    at least one. Crossing into a thread and back costs as much as many a handler, and is done once for all of them.
    """

    def __call__(self, batch: Sequence[tuple[Event, int]]) -> Awaitable[list[Verdict]]: ...


@dataclass(frozen=True)
class Consumer:
    """One handler, as a transport sees it. `topic` may be a pattern.

    `durable` comes from node, method and topic: processes that run the same node share one place in the stream.
    Where `lasting` is false nobody comes back for it (a function given to `bus.subscribe`): it hears what is published
    from now on, and every process that has one hears everything. `concurrency` events may be with it at once.
    Where `is_ordered`, the next event comes when the one before is done for good, whichever process has it: no attempt,
    no failover and no second process may let one overtake another. With `key_of` that holds for events of one key, and
    others may go beside them, up to `concurrency`.
    A transport that brings several at a time may use `ahandle_many`, where it is given.
    """

    durable: str
    topic: str
    node: str
    lasting: bool
    attempts: int
    concurrency: int
    ahandle: EventHandler
    ahandle_many: BatchHandler | None = None
    is_ordered: bool = False
    key_of: Callable[[Event], str] | None = None


@dataclass(frozen=True)
class Responder:
    """A node that runs here, and answers direct calls from other processes.

    `itself` is the node, for a transport that keeps the state of nodes that run in one place.
    """

    node: str
    answer: CallHandler
    itself: Any = None


class Transport(Protocol):
    """What carries events and calls. A new one passes `tests/runtime/conformance`."""

    name: str
    local: bool  # all nodes are in this process: the bus delivers by itself, and nothing below is awaited

    def consume(self, consumer: Consumer) -> None:
        """Bring it every event of its topic, from `start` on. In the order of each publisher where one is at a time."""

    def release(self, consumer: Consumer) -> None:
        """Bring it nothing more. What waits under a lasting name stays there."""

    def reply(self, responder: Responder) -> None:
        """Answer calls of that node by it, from `start` on."""

    def publish(self, event: Event) -> futures.Future[None]:
        """Hand an event over, from any thread; one thread's events keep their order.

        The future is done when the event is stored for every durable name, and fails with TransportDown where that
        cannot be known. Raises BadPayload for what cannot travel.
        """

    async def apublish(self, event: Event) -> None:
        """`publish`, and wait until it is stored. Raises TransportDown."""

    async def call(self, message: Message, timeout_s: float) -> Any:
        """Call a node of another process. Raises what it raises, UnknownNode where nobody answers, DeadlineExceeded."""

    def runs_here(self, node: str) -> bool:
        """Whether calls of a node of this process are run by its own copy. Not where another process holds the node:
        then `call` reaches the one that counts.
        """

    def keep(self, node: str) -> Coroutine[Any, Any, None] | None:
        """After a call that the own copy ran: what returns when its state is stored; None where nothing is stored.

        That raises TransportDown where another process holds the node by now: what the copy did counts for nobody.
        """

    async def open(self) -> None:
        """Connect. Raises TransportDown."""

    async def start(self) -> None:
        """Let events and calls in."""

    async def wait_until_settled(self, timeout_s: float) -> bool:
        """Wait until nothing is stored that handlers of this process have not handled; say whether that came true."""

    async def check_build(self, folder: ArtifactFolder, force: bool) -> None:
        """Raise where that build cannot be taken in place of the running one: ContractChanged (not with `force`) where
        other processes would not understand it, RuntimeFault where only a restart can.
        """

    async def switch_build(self, folder: ArtifactFolder, nodes: Collection[str]) -> None:
        """That build runs here from now on, and of it these nodes. `reply` and `consume` were called for new ones."""

    async def drain(self, timeout_s: float) -> bool:
        """Let no more in, and wait until what is under way is done; say whether that came true."""

    async def close(self) -> None:
        """Send what was handed over, and disconnect. May be called twice, without `open`, and before another `open`."""


# Events, calls and answers as bytes: JSON, the same on every transport that leaves the process.


# `surrogatepass`: a lone surrogate is legal in Python's text and in JSON's escapes, and must not stop a publisher.
_ENCODING = "utf-8", "surrogatepass"


def _encode(value: dict[str, Any], what: str, payload: Any) -> bytes:
    try:
        odd = find_non_json(payload)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as e:
        odd, text = str(e), ""
    if odd is not None:
        raise BadPayload(f"The payload of {what} cannot travel as JSON: {odd}. Give text, numbers, lists and dicts.")
    return text.encode(*_ENCODING)


def _decode(data: bytes) -> dict[str, Any]:
    value = json.loads(data.decode(*_ENCODING))
    if not isinstance(value, dict):
        raise ValueError(f"{type(value).__name__} in place of an object")
    return value


def encode_event(event: Event) -> bytes:
    """An event to send. Raises BadPayload for what JSON would bring back as something else."""
    return _encode(event.to_dict(), event.topic, event.payload)


def decode_event(data: bytes) -> Event:
    """The event of `encode_event`. Raises ValueError or KeyError for anything else."""
    row = _decode(data)
    if not isinstance(row["payload"], dict):
        raise ValueError("its payload is not an object")
    return Event(row["event_id"], row["topic"], row["src"], row["payload"], row.get("timestamp"), row.get("cause"))


def encode_call(message: Message, timeout_s: float | None) -> bytes:
    """A call to send, with what is left of its deadline: clocks of two machines differ, spans do not."""
    row = {name: getattr(message, name) for name in ("msg_id", "src", "dst", "method", "payload", "context")}
    return _encode({**row, "timeout_s": timeout_s}, f"{message.dst}.{message.method}", message.payload)


def decode_call(data: bytes) -> tuple[Message, float | None]:
    """The call of `encode_call`, and its deadline. Raises ValueError or KeyError for anything else."""
    row = _decode(data)
    if not isinstance(row["payload"], dict):
        raise ValueError("its payload is not an object")
    message = Message(row["msg_id"], row["src"], row["dst"], row["method"], row["payload"], row.get("context"))
    return message, row.get("timeout_s")


def encode_result(result: Any, what: str) -> bytes:
    """What a call gave back. Raises BadPayload for what cannot travel."""
    return _encode({"result": result}, f"the result of {what}", result)


def encode_error(error: BaseException) -> bytes:
    """What a call raised: its kind and its text. Its traceback stays in the log of the process that ran it."""
    row = {"kind": type(error).__name__, "text": describe_error(error), "path": getattr(error, "path", "")}
    return json.dumps({"error": row}, default=str).encode(*_ENCODING)


def decode_answer(data: bytes) -> Any:
    """The result of a call. Raises what it raised: as its type where that is Python's or ours, else RemoteError."""
    row = _decode(data)
    if "error" not in row:
        return row["result"]
    raise _decode_error(row["error"])


def _decode_error(row: dict[str, Any]) -> Exception:
    kind, text = str(row.get("kind")), str(row.get("text"))
    if kind == "PayloadRejected":
        return PayloadRejected(text, str(row.get("path") or ""))
    # Only these two modules: a name from the wire must never choose what is imported or called here.
    error_type = getattr(errors, kind, None) or getattr(builtins, kind, None)
    if isinstance(error_type, type) and issubclass(error_type, Exception):
        try:
            return error_type(text)
        except TypeError:  # one that wants more than a text, such as UnicodeDecodeError
            pass
    return RemoteError(f"{kind}: {text}")
