"""A session: one negotiation's state and its log, which refuses anything but the head of what is pending.

It is the only place where facts come into being. It knows no participant, no clock and no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from heapq import merge
from typing import Any, Generic, TypeVar

from graphbus_core.errors import IllegalMove
from graphbus_core.negotiation.core.ports import Log
from graphbus_core.negotiation.core.protocol import (
    UNREADABLE,
    Answered,
    AnswerRefused,
    Ask,
    Event,
    Json,
    NegotiationProtocol,
    Result,
    Silent,
    Want,
)

# Pure work is run again where the interpreter lost count of itself.
#
# CPython before 3.11.9 and 3.12.3 keeps one counter for all threads that parse Python (gh-106905). A model's answer is
# parsed here while another is tried in a thread, and one time in some thousands `ast.parse` ends in a SystemError that
# says nothing of the source. A pure function may simply be asked again.


T = TypeVar("T")
PARSER_TRIES = 5
PARSER_FAULT = "recursion depth mismatch"


def retry_on_parser_fault(work: Callable[[], T]) -> T:
    """What `work` gives. `work` changes nothing, or the same however often it is run."""
    for _ in range(PARSER_TRIES - 1):
        try:
            return work()
        except SystemError as e:
            if PARSER_FAULT not in str(e):
                raise
    return work()


# Who may see which facts: posting costs the size of the audience, a view is made only when it is needed.


class Feed:
    """All facts by sequence number, and for every participant the ones that are its own.

    A pin counts what the protocol has folded, so refused answers, which the session keeps to itself, do not count:
    how often somebody else stammers must not move what a participant sees.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._folded: list[int] = []  # per event: how many facts the protocol had folded with it
        self._public: list[int] = []
        self._own: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._events)

    def post(self, event: Event) -> None:
        """Add the next fact."""
        self._events.append(event)
        self._folded.append((self._folded[-1] if self._folded else 0) + (not isinstance(event, AnswerRefused)))
        seq = len(self._events)
        audience = event.seen_by()
        if audience is None:
            self._public.append(seq)
        else:
            for name in dict.fromkeys(audience):
                self._own.setdefault(name, []).append(seq)

    def view(self, name: str, pin: int | None = None) -> Iterator[tuple[int, Event]]:
        """What `name` may see, oldest first, up to and with the `pin`-th fact of the protocol."""
        for seq in merge(self._public, self._own.get(name, ())):
            if pin is not None and self._folded[seq - 1] > pin:
                return
            yield seq, self._events[seq - 1]

    def list_all(self) -> list[Event]:
        """Every fact, for whoever keeps the whole."""
        return list(self._events)


# Theory of operation
# -------------------
#
# A negotiation is a list of facts. The state is what one gets by folding them, and the next question is a function of
# the state. That is all; the rest of this comment says what follows from it.
#
#     log ──fold──> state ──pending──> the head of what must happen next
#      ▲                                     │
#      │                                     ▼
#      └──── one fact <──settle── a result: an answer, a silence, an effect's receipt, a wait that is over
#            and its consequences (advance), appended as one group
#
# Why only the head. Many questions are open at once, and their answers arrive in any order. If each were recorded as it
# arrives, two runs with the same answers would write two logs. So the session takes the result of the head alone and
# refuses everything else with IllegalMove. Whoever drives it keeps early answers until it is their turn. Order is
# enforced where it cannot be forgotten, and "same answers, same log, byte for byte" costs no other code.
#
# Why a crash loses nothing. There are four places where a process can die, and each is safe:
#
#     before the answer is kept        the question is asked again; nothing was paid for
#     after it is kept, before use     the driver finds it in the answers store; nobody is asked again
#     while a group of facts is written  a prefix of the group is in the log; `advance` derives the rest again,
#                                      since consequences depend on the state alone
#     after the group is written       the next run folds it and goes on
#
# Effects (a commit) are the fifth: they may have run although no fact says so. They are idempotent: each looks at the
# hashes of what it would change, and gives its receipt again where the change is there already.
#
# Why the session keeps no participant, no clock and no file. The same session runs under a driver with models, under a
# simulation with a thousand faults, under a replay from a recording, and in a browser that rewinds. None of them can
# differ in the rules, because none of them has any.
#
# Blame. There are two ways to be wrong. Our own code makes an illegal move: that is a bug, and it raises. A participant
# gives an answer that cannot be taken: that is ordinary. It is recorded as refused with the reason, and the same
# question stands again under a new id (`id#2`), a bounded number of times; then the participant is silent, and the
# protocol says what silence means. A new id, because the answers store keeps what was said under the old one: with the
# same id, a retry would replay the refused answer for ever (design §2, trap 6).
#
# `check` needs the ask alone. An ask carries everything that its answer is judged by. So the driver may see that an
# answer is malformed long before it is its turn, and send the next attempt early; and a restart refuses exactly what
# was refused before, without a memory of its own.
#
# What a participant may see. Every fact says who may see it. `feed` keeps one list for each audience; an ask has a
# `pin`, the number of facts that stood when its phase began, and a view is cut there. So two agents that are asked in
# the same phase see the same table, although one is asked a minute later; and posting a fact costs as much as it has
# readers, not as many as sit at the table.
#
# Moves that nobody asked for (a person's Ctrl-C, an advocate's objection, a new issue) have no place in the agenda.
# Their place in the log is their order. That is the one thing that a log holds and the answers alone do not.
#
# Attempts belong to the session, not to the protocol. A protocol would otherwise carry a counter in each of its states
# and forget it in one. `strip_attempt` is the question, `#2` the attempt; facts name the question, answers the attempt.
# How many attempts there have been is itself folded from the log, from the `AnswerRefused` facts, so it outlives a
# crash.
#
# Why consequences are bounded. `advance` is asked until nothing follows any more. A protocol with two rules that undo
# each other would write facts until the disk is full; MAX_CONSEQUENCES makes that a loud bug in a test instead.
#
# `_ahead`. Between folding a group and appending it, the state knows facts that the log may not have. If the append
# fails (a full disk), the session refuses everything from then on: going on would write facts that rest on lost ones.
# Opening the session again from its log is always right, and always enough.


S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - outcome

MAX_ATTEMPTS = 3
MAX_CONSEQUENCES = 1_000_000  # of one step; a protocol that reaches it does not end


class Session(Generic[S, O]):
    """Fold `log`, then take results and moves until there is an outcome.

    `max_attempts` bounds how often one question is asked; when it is used up, the answer is silence.
    """

    def __init__(
        self,
        protocol: NegotiationProtocol[Any, S, O],
        config: Any,
        log: Log,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> None:
        self.protocol = protocol
        self.log = log
        self.max_attempts = max_attempts
        self.state: S = protocol.open(config)
        self.feed = Feed()
        self._attempts: dict[str, int] = {}
        self._head: tuple[int, Want | None] | None = None  # at which fact, what
        self._ahead = False  # the state holds facts that the log may not have
        for entry in log:
            self._fold(entry.event)

    @property
    def seq(self) -> int:
        """The sequence number of the last fact."""
        return len(self.feed)

    @property
    def outcome(self) -> O | None:
        """How it ended, or None."""
        return self.protocol.outcome(self.state)

    def advance(self) -> list[Event]:
        """Record every consequence that is due. After a crash this finishes what was begun."""
        return self._record()

    def pending(self) -> Iterator[Want]:
        """What must happen next, in canonical order, under the ids of the current attempts."""
        if self.outcome is not None:
            return
        for want in self.protocol.pending(self.state):
            yield self._number_attempt(want)

    @property
    def head(self) -> Want | None:
        """The only want that may be settled now."""
        if self._head is None or self._head[0] != self.seq:
            self._head = (self.seq, next(self.pending(), None))
        return self._head[1]

    def settle(self, want_id: str, result: Result) -> list[Event]:
        """Record the result of the head. Raises IllegalMove for anything else, and then changes nothing.

        A malformed answer is recorded as refused; the question then stands again under a new id.
        """
        head = self.head
        if head is None or head.id != want_id:
            raise IllegalMove(
                f"{self.protocol.name}: {want_id} cannot be settled now; "
                f"{'the negotiation is over' if head is None else f'{head.id} comes first'}"
            )
        if isinstance(head, Ask) and isinstance(result, Answered):
            why = self.check(head, result.body)
            if why is not None:
                base = strip_attempt(head.id)
                if self._attempts.get(base, 1) < self.max_attempts:
                    return self._record(AnswerRefused(base, head.to, why))
                result = Silent(f"{self.max_attempts} malformed answers, the last: {why}")
        return self._record(retry_on_parser_fault(lambda: self.protocol.settle(self.state, head, result)))

    def check(self, ask: Ask, body: Json) -> str | None:
        """Why this body does not answer this ask: it could not be read, or the protocol says so. None if it does."""
        if UNREADABLE in body:
            return str(body[UNREADABLE])
        return retry_on_parser_fault(lambda: self.protocol.check(ask, body))

    def submit(self, who: str, move: Json) -> list[Event]:
        """Record a move that nobody asked for. Its place in the log is its order."""
        return self._record(self.protocol.submit(self.state, who, move))

    def make_next_attempt(self, ask: Ask) -> Ask | None:
        """The question that follows if the answer to `ask` is refused, or None if it was the last attempt."""
        number = parse_attempt(ask.id)
        return None if number >= self.max_attempts else replace(ask, id=f"{strip_attempt(ask.id)}#{number + 1}")

    def _number_attempt(self, want: Want) -> Want:
        attempt = self._attempts.get(want.id)
        return want if attempt is None else replace(want, id=f"{want.id}#{attempt}")

    def _record(self, fact: Event | None = None) -> list[Event]:
        """Fold `fact` and all its consequences, and append them to the log as one group.

        One durable write for one step. A crash in the middle of it leaves a prefix in the log, and the rest follows
        again from `advance`: consequences depend on the state alone. Nothing is returned before it is in the log.
        """
        if self._ahead:
            raise IllegalMove(f"{self.protocol.name}: an earlier write failed; open the session again from its log")
        self._ahead = True
        facts: list[Event] = []
        while (
            fact is not None or (fact := retry_on_parser_fault(lambda: self.protocol.advance(self.state))) is not None
        ):
            self._fold(fact)
            facts.append(fact)
            if len(facts) > MAX_CONSEQUENCES:
                raise IllegalMove(f"{self.protocol.name}: {fact.kind} has consequences without an end")
            fact = None
        if facts:
            self.log.append(facts)
        self._ahead = False
        return facts

    def _fold(self, event: Event) -> None:
        self.feed.post(event)
        if isinstance(event, AnswerRefused):
            self._attempts[event.ask] = self._attempts.get(event.ask, 1) + 1
        else:
            self.state = self.protocol.evolve(self.state, event)


def strip_attempt(ask_id: str) -> str:
    """The id of the first attempt."""
    return ask_id.partition("#")[0]


def parse_attempt(ask_id: str) -> int:
    """Which attempt an id stands for, from 1."""
    return int(ask_id.partition("#")[2] or 1)
