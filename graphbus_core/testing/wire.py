"""What the Anthropic Messages, OpenAI chat completions and OpenAI responses protocols look like on the wire.

Only as much of each as their official clients need to read an answer of text: whole, streamed, or an error. Written
after the providers' public references; nothing of it knows what is asked or answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.testing.script import Turn

PIECE = 160  # characters a streamed event
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Tokens:
    """How much the answer is said to have used."""

    read: int
    written: int
    cached: int = 0


def prompt_of(path: str, request: Mapping[str, Any]) -> str:
    """The whole text of a request, system first."""
    parts: list[Any] = [request.get("system"), request.get("instructions")]
    messages = request.get("messages") or request.get("input") or ()
    if isinstance(messages, str):
        parts.append(messages)
    else:
        parts += [m.get("content") for m in messages if isinstance(m, Mapping)]
    return "\n\n".join(text for part in parts for text in _texts(part))


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, Mapping) and isinstance(block.get("text"), str):
                yield block["text"]


def protocol_of(path: str) -> str | None:
    """`anthropic`, `chat` or `responses`, by the path of the request."""
    path = path.partition("?")[0].rstrip("/")
    for ending, name in (("/messages", "anthropic"), ("/chat/completions", "chat"), ("/responses", "responses")):
        if path.endswith(ending):
            return name
    return None


def error(protocol: str, turn: Turn) -> dict[str, Any]:
    """An error's body, as this provider writes it."""
    kind = ERRORS.get(turn.status, "api_error")
    message = turn.message or f"scripted {kind}"
    if protocol == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


def whole(protocol: str, model: str, turn: Turn, tokens: Tokens, number: int) -> dict[str, Any]:
    """The answer in one piece."""
    if protocol == "anthropic":
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": turn.text}] if turn.text else [],
            "stop_reason": _stop(turn),
            "stop_sequence": None,
            "usage": _anthropic_usage(tokens),
        }
    if protocol == "chat":
        return {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": model,
            "choices": [
                {"index": 0, "finish_reason": turn.finish, "message": {"role": "assistant", "content": turn.text}}
            ],
            "usage": _chat_usage(tokens),
        }
    return _response(model, turn, tokens, number, "incomplete" if turn.finish == "length" else "completed")


def streamed(protocol: str, model: str, turn: Turn, tokens: Tokens, number: int) -> Iterator[str]:
    """The answer as server-sent events, one string an event."""
    pieces = [turn.text[i : i + PIECE] for i in range(0, len(turn.text), PIECE)]
    if protocol == "anthropic":
        yield from _anthropic_events(model, turn, tokens, number, pieces)
    elif protocol == "chat":
        yield from _chat_events(model, turn, tokens, number, pieces)
    else:
        yield from _responses_events(model, turn, tokens, number, pieces)


def error_event(protocol: str, turn: Turn) -> str:
    """The provider's way to fail in the middle of a stream."""
    failed = Turn(status=529, message=turn.message or "scripted: overloaded in the middle of a stream")
    if protocol == "anthropic":
        return _event(error(protocol, failed), "error")
    if protocol == "responses":
        return _event(
            {"type": "error", "code": "server_error", "message": failed.message, "sequence_number": 9}, "error"
        )
    return _event(error(protocol, failed))


def _event(data: Any, name: str | None = None) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "") + f"data: {text}\n\n"


def _stop(turn: Turn) -> str:
    return {"length": "max_tokens", "content_filter": "refusal"}.get(turn.finish, "end_turn")


def _anthropic_usage(tokens: Tokens) -> dict[str, int]:
    return {
        "input_tokens": tokens.read - tokens.cached,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": tokens.written,
    }


def _chat_usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens.read,
        "completion_tokens": tokens.written,
        "total_tokens": tokens.read + tokens.written,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
    }


def _anthropic_events(model: str, turn: Turn, tokens: Tokens, number: int, pieces: list[str]) -> Iterator[str]:
    start = whole("anthropic", model, Turn(), Tokens(tokens.read, 1, tokens.cached), number)
    yield _event({"type": "message_start", "message": {**start, "stop_reason": None}}, "message_start")
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield _event(block, "content_block_start")
    yield _event({"type": "ping"}, "ping")
    for piece in pieces:
        delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        yield _event(delta, "content_block_delta")
    yield _event({"type": "content_block_stop", "index": 0}, "content_block_stop")
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": _stop(turn), "stop_sequence": None},
        "usage": {"output_tokens": tokens.written},
    }
    yield _event(end, "message_delta")
    yield _event({"type": "message_stop"}, "message_stop")


def _chat_events(model: str, turn: Turn, tokens: Tokens, number: int, pieces: list[str]) -> Iterator[str]:
    def chunk(delta: dict[str, Any] | None, finish: str | None = None, usage: Any = None) -> str:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        base = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1_700_000_000}
        return _event({**base, "model": model, "choices": choices, "usage": usage})

    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces:
        yield chunk({"content": piece})
    yield chunk({}, turn.finish)
    yield chunk(None, None, _chat_usage(tokens))
    yield _event("[DONE]")


def _response(model: str, turn: Turn, tokens: Tokens, number: int, status: str) -> dict[str, Any]:
    message = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": [{"type": "output_text", "text": turn.text, "annotations": [], "logprobs": []}],
    }
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": status,
        "model": model,
        "output": [message],
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": {
            "input_tokens": tokens.read,
            "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": 0},
            "output_tokens": tokens.written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens.read + tokens.written,
        },
    }


def _responses_events(model: str, turn: Turn, tokens: Tokens, number: int, pieces: list[str]) -> Iterator[str]:
    sequence = iter(range(10_000_000))

    def event(kind: str, **data: Any) -> str:
        return _event({"type": kind, "sequence_number": next(sequence), **data}, kind)

    begun = {**_response(model, turn, tokens, number, "in_progress"), "output": [], "usage": None}
    yield event("response.created", response=begun)
    item = {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    yield event("response.output_item.added", output_index=0, item=item)
    at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    yield event("response.content_part.added", **at, part=part)
    for piece in pieces:
        yield event("response.output_text.delta", **at, delta=piece, logprobs=[])
    yield event("response.output_text.done", **at, text=turn.text, logprobs=[])
    ended = whole("responses", model, turn, tokens, number)
    yield event("response.output_item.done", output_index=0, item=ended["output"][0])
    kind = "response.incomplete" if ended["status"] == "incomplete" else "response.completed"
    yield event(kind, response=ended)
