"""A node that overrides `propose`, `evaluate` or `commit` speaks for itself, without a model (seed 002 §2.7).

The node's methods are called in a thread, with what they are declared to take: `propose(ask)` gets what the agent is
told and returns proposals (the record, a dictionary, a list of either, or nothing); `evaluate(proposal)` gets a
`Proposal` and returns a `ProposalEvaluation` or a dictionary. Where a method is not overridden, `otherwise` answers.
`commit(record)` is told of each commit that concerns the node (it proposed, was asked, or owns what changed) after its
files were written: in the order of the commits, before the node's next question, at the latest when the negotiation
ends. It cannot refuse: what it returns is dropped, what it raises is logged. Importing the user's class is somebody
else's business.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from graphbus_core.negotiation.core import Ask, Participant, Reply, View, make_unreadable
from graphbus_core.negotiation.proposal.vocabulary import CommitRecord, Proposal
from graphbus_core.participants.threads import run_in_thread

WITHIN_S = 120.0
METHODS = ("propose", "evaluate", "commit")
log = logging.getLogger("graphbus.build")


class _CallTimeout(Exception):
    """The node's method did not come back. Not TimeoutError: that one the method may raise itself."""


class NodeParticipant:
    """The seat of a node that overrides some of `propose`, `evaluate`, `commit` (`overrides` says which).

    A method that takes longer than `within_s` seconds is silence, as with a model; its thread is left behind.
    """

    def __init__(self, node: Any, overrides: Iterable[str], otherwise: Participant, within_s: float = WITHIN_S) -> None:
        self.node = node
        self.overrides = frozenset(overrides)
        self.otherwise = otherwise
        self.within_s = within_s
        self._news: deque[CommitRecord] = deque()  # commits that the node was not told of yet
        self._telling = asyncio.Lock()

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What the node's own method says; `otherwise` where it has none for this kind of question."""
        await self.tell_commits()
        if ask.kind not in self.overrides:
            return await self.otherwise.answer(ask, view)
        try:
            if ask.kind == "propose":
                proposals = await self._call_bounded("propose", dict(ask.about))
                return Reply({"proposals": [_convert_to_plain(p) for p in _make_list(proposals)]})
            proposal = Proposal.from_dict(ask.about["proposal"])
            return Reply(_convert_to_plain(await self._call_bounded("evaluate", proposal)))
        except _CallTimeout as e:
            return Reply(None, str(e))
        except TypeError as e:
            return Reply(make_unreadable(f"{type(self.node).__name__}.{ask.kind}: {e}"))

    def note_commit(self, record: CommitRecord) -> None:
        """Take note of a commit; `hear` tells the node, if it wants to hear of commits."""
        if "commit" in self.overrides:
            self._news.append(record)

    async def tell_commits(self) -> None:
        """Tell the node of every commit that was noted, and wait until it has heard. Never raises what it raises."""
        if not self._news and not self._telling.locked():
            return
        async with self._telling:
            while self._news:
                record = self._news.popleft()
                try:
                    await self._call_bounded("commit", record)
                except Exception as e:
                    log.warning(
                        "%s.commit failed when told of %s, which stands all the same: %s: %s",
                        *(type(self.node).__name__, record.proposal_id, type(e).__name__, e),
                    )

    async def _call_bounded(self, method: str, argument: Any) -> Any:
        answer = asyncio.ensure_future(run_in_thread(lambda: self._call(method, argument), "own voice"))
        try:
            finished, _ = await asyncio.wait({answer}, timeout=self.within_s)
        finally:
            answer.cancel()
        if not finished:
            raise _CallTimeout(f"{type(self.node).__name__}.{method} gave no answer within {self.within_s:g} s")
        return answer.result()

    def _call(self, method: str, argument: Any) -> Any:
        """One of the node's own methods. A node that leaves the program (`sys.exit`) has failed to answer, no more."""
        own: Callable[[Any], Any] = getattr(self.node, method)
        try:
            return own(argument)
        except SystemExit as e:
            raise RuntimeError(f"{type(self.node).__name__}.{method} called sys.exit({e.code!r})") from e


def _make_list(answer: Any) -> list[Any]:
    if answer is None:
        return []
    if isinstance(answer, Mapping) and "proposals" in answer:
        answer = answer["proposals"]
    return list(answer) if isinstance(answer, Sequence) and not isinstance(answer, str) else [answer]


def _convert_to_plain(answer: Any) -> dict[str, Any]:
    """A record or a mapping as plain data."""
    if isinstance(answer, Proposal):
        return answer.to_dict()
    if is_dataclass(answer) and not isinstance(answer, type):
        return {k: str(v) if k == "decision" else v for k, v in asdict(answer).items()}
    if isinstance(answer, Mapping):
        return dict(answer)
    raise TypeError(f"it returned {type(answer).__name__}, which is not an answer")
