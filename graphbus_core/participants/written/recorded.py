"""Answers from a past build (`--model recorded:LOG`): `recorded(stores.recordings.read_recording(path), names)`.

The same start gives the same questions under the same ids, so the recording answers each of them. A question that it
never heard is met with silence that says so: silence is never a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphbus_core.negotiation.core import Ask, Participant, Reply, View
from graphbus_core.negotiation.core.tried import try_id, weighed


class RecordedParticipant:
    """One seat that says what was said before."""

    def __init__(self, replies: Mapping[str, Reply], source: str = "the recording") -> None:
        self._replies = replies
        self._source = source

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The recorded reply to this very question."""
        found = self._replies.get(ask.id)
        if found is None:
            return Reply(None, f"{self._source} has no answer to {ask.id}: the project is not as it was recorded")
        found = weighed(found, self._replies.get(try_id(ask.id)))  # what fell in a try then falls now
        return Reply(found.body, found.why, {**found.usage, "recorded": True})


def recorded(
    replies: Mapping[str, Reply], names: Iterable[str], source: str = "the recording"
) -> dict[str, Participant]:
    """A participant for each of `names`, all from one recording (`stores.recordings.read_recording`)."""
    return {name: RecordedParticipant(replies, source) for name in names}
