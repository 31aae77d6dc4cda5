"""Answers from a past build (`--model recorded:LOG`): `seat_recorded(stores.recordings.read_recording(path), names)`.

The same start gives the same questions under the same ids, so the recording answers each of them. A question that it
never heard is met with silence that says so: silence is never a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphbus_core.negotiation.core import Ask, Participant, Reply, View
from graphbus_core.negotiation.core.preflight import apply_preflight, make_try_id


class RecordedParticipant:
    """One seat that says what was said before."""

    def __init__(self, replies: Mapping[str, Reply], source: str = "the recording") -> None:
        self._replies = replies
        self._source = source

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The recorded reply to this very question."""
        reply = self._replies.get(ask.id)
        if reply is None:
            return Reply(None, f"{self._source} has no answer to {ask.id}: the project is not as it was recorded")
        reply = apply_preflight(reply, self._replies.get(make_try_id(ask.id)))  # what fell in a try then falls now
        return Reply(reply.body, reply.why, {**reply.usage, "recorded": True})


def seat_recorded(
    replies: Mapping[str, Reply], names: Iterable[str], source: str = "the recording"
) -> dict[str, Participant]:
    """A participant for each of `names`, all from one recording (`stores.recordings.read_recording`)."""
    return {name: RecordedParticipant(replies, source) for name in names}
