"""Events, calls and answers as bytes: JSON, the same on every transport that leaves the process."""

from __future__ import annotations

import builtins
import json
from typing import Any

from graphbus_core import errors
from graphbus_core.errors import BadPayload, PayloadRejected, RemoteError
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.handling.payloads import error_text, foreign

# `surrogatepass`: a lone surrogate is legal in Python's text and in JSON's escapes, and must not stop a publisher.
_ENCODING = "utf-8", "surrogatepass"


def _written(value: dict[str, Any], what: str, payload: Any) -> bytes:
    try:
        odd = foreign(payload)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as e:
        odd, text = str(e), ""
    if odd is not None:
        raise BadPayload(f"The payload of {what} cannot travel as JSON: {odd}. Give text, numbers, lists and dicts.")
    return text.encode(*_ENCODING)


def _read(data: bytes) -> dict[str, Any]:
    value = json.loads(data.decode(*_ENCODING))
    if not isinstance(value, dict):
        raise ValueError(f"{type(value).__name__} in place of an object")
    return value


def event_bytes(event: Event) -> bytes:
    """An event to send. Raises BadPayload for what JSON would bring back as something else."""
    return _written(event.to_dict(), event.topic, event.payload)


def event_of(data: bytes) -> Event:
    """The event of `event_bytes`. Raises ValueError or KeyError for anything else."""
    row = _read(data)
    if not isinstance(row["payload"], dict):
        raise ValueError("its payload is not an object")
    return Event(row["event_id"], row["topic"], row["src"], row["payload"], row.get("timestamp"), row.get("cause"))


def call_bytes(message: Message, timeout_s: float | None) -> bytes:
    """A call to send, with what is left of its deadline: clocks of two machines differ, spans do not."""
    row = {name: getattr(message, name) for name in ("msg_id", "src", "dst", "method", "payload", "context")}
    return _written({**row, "timeout_s": timeout_s}, f"{message.dst}.{message.method}", message.payload)


def call_of(data: bytes) -> tuple[Message, float | None]:
    """The call of `call_bytes`, and its deadline. Raises ValueError or KeyError for anything else."""
    row = _read(data)
    if not isinstance(row["payload"], dict):
        raise ValueError("its payload is not an object")
    message = Message(row["msg_id"], row["src"], row["dst"], row["method"], row["payload"], row.get("context"))
    return message, row.get("timeout_s")


def result_bytes(result: Any, what: str) -> bytes:
    """What a call gave back. Raises BadPayload for what cannot travel."""
    return _written({"result": result}, f"the result of {what}", result)


def error_bytes(error: BaseException) -> bytes:
    """What a call raised: its kind and its text. Its traceback stays in the log of the process that ran it."""
    row = {"kind": type(error).__name__, "text": error_text(error), "path": getattr(error, "path", "")}
    return json.dumps({"error": row}, default=str).encode(*_ENCODING)


def answer_of(data: bytes) -> Any:
    """The result of a call. Raises what it raised: as its type where that is Python's or ours, else RemoteError."""
    row = _read(data)
    if "error" not in row:
        return row["result"]
    raise _error(row["error"])


def _error(row: dict[str, Any]) -> Exception:
    kind, text = str(row.get("kind")), str(row.get("text"))
    if kind == "PayloadRejected":
        return PayloadRejected(text, str(row.get("path") or ""))
    # Only these two modules: a name from the wire must never choose what is imported or called here.
    found = getattr(errors, kind, None) or getattr(builtins, kind, None)
    if isinstance(found, type) and issubclass(found, Exception):
        try:
            return found(text)
        except TypeError:  # one that wants more than a text, such as UnicodeDecodeError
            pass
    return RemoteError(f"{kind}: {text}")
