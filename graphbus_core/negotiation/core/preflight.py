"""A try: whether an answer would hold, found out before anybody else is bothered with it (design §7, "try(diff)").

It is an effect, so its result is kept like an answer, under an id of its own beside the answer's, before it is used.
That makes three things hold without more code: a restart tries nothing again, a replay needs no disk, and the log is
a function of what is kept. An answer that would not hold becomes an unreadable one with the reason, so that the
session refuses it and asks again as it does with any answer that cannot be taken; the table never hears of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.negotiation.core.ports import Reply
from graphbus_core.negotiation.core.protocol import UNREADABLE

TRIED = "tried"  # in the body of an answer: what the try found, told to all as computed
REFUSED = "refused"  # in the result of a try: why the answer would not hold


def make_try_id(ask_id: str) -> str:
    """Where the result of the try of this answer is kept."""
    return f"{ask_id}!try"


def apply_preflight(reply: Reply, tried: Reply | None) -> Reply:
    """The reply with what its try found. Nobody can write that himself: a `tried` in the answer's own words goes."""
    if reply.body is None or (tried is None and TRIED not in reply.body):
        return reply
    body: dict[str, Any] = {k: v for k, v in reply.body.items() if k != TRIED}
    result: Mapping[str, Any] = (tried.body if tried is not None else None) or {}
    if REFUSED in result:
        return Reply({UNREADABLE: str(result[REFUSED])}, None, reply.usage)
    return Reply({**body, TRIED: result[TRIED]} if TRIED in result else body, None, reply.usage)
