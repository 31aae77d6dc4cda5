"""What must hold at every step, told from the facts alone and worked out anew: it shares no code with the rules.

Safety: no commit without its quorum, none beyond a bound, nothing seen by whom it does not concern, the files are the
fold of the log. Liveness: it ends, within so many questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from graphbus_core import contracts
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.negotiation.core import Event
from tests.simulation.world import World

YES = ("accept", "accept_with_modification")
NO = ("reject", "counter")


class Broken(AssertionError):
    """An invariant does not hold."""


def must(holds: Any, what: str, *about: Any) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(f"{what}: {about}" if about else what)


class Watch:
    """Follows one negotiation fact by fact."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.files: dict[str, str] = {}
        self.agents: dict[str, AgentDefinition] = {a.name: a for a in world.agents}
        self.tabled: dict[str, Any] = {}
        self.said: dict[str, dict[str, list[str]]] = {}
        self.silent: dict[str, set[str]] = {}
        self.rulings: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self.made: Counter[str] = Counter()
        self.fresh: Counter[tuple[str, int]] = Counter()
        self.charged: Counter[str] = Counter()
        self.counted: Counter[str] = Counter()
        self.queued: set[str] = set()
        self.open: set[str] = set()
        self.agreed: dict[str, Any] = {}
        self.changed: set[str] = set()
        self.outcomes: dict[str, str] = {}
        self.round = 0
        self.ended: Any = None

    def see(self, fact: Event) -> None:
        """The next fact. Raises Broken."""
        must(self.ended is None, "a fact after the end", fact.kind)
        handler = getattr(self, f"_{fact.kind}", None)
        if handler is not None:
            handler(fact)
        audience = fact.seen_by()
        pid = getattr(fact, "proposal_id", None) or (getattr(fact, "proposal", None) or {}).get("proposal_id")
        if pid is not None:
            must(audience is not None, "a proposal is told to everybody", fact.kind)
        if pid in self.tabled and fact.kind != "proposal_committed":
            stranger = set(audience or ()) - {self.tabled[pid].proposal["proposer"], *self.tabled[pid].evaluators}
            must(not stranger, "a proposal is told to a stranger", fact.kind, stranger)

    # -- what is made

    def _round_started(self, fact: Any) -> None:
        self.round += 1
        must(fact.round == self.round <= self.world.safety.max_negotiation_rounds, "a round too many", fact.round)
        for name in fact.asked:
            must(self.charged[name] < self.world.safety.max_proposals_per_agent, "asked beyond its budget", name)

    def _proposals_made(self, fact: Any) -> None:
        self.made[fact.agent] += len(fact.proposals)

    def _proposal_dropped(self, fact: Any) -> None:
        self.counted[fact.proposer] += fact.proposal_id not in self.queued and fact.proposal["answers_to"] is None
        self.queued.discard(fact.proposal_id)
        self.outcomes[fact.proposal_id] = "dropped"

    def _proposal_queued(self, fact: Any) -> None:
        self.charged[fact.proposer] += 1
        self.queued.add(fact.proposal_id)
        must(fact.proposal["depth"] <= self.world.safety.max_back_and_forth, "a chain too deep", fact.proposal_id)
        self._within_total(fact.proposer)

    def _proposal_tabled(self, fact: Any) -> None:
        safety, proposal = self.world.safety, fact.proposal
        pid, author = proposal["proposal_id"], proposal["proposer"]
        if pid in self.queued:
            self.queued.discard(pid)
        else:
            self.counted[author] += 1
            self.charged[author] += 1
            self.fresh[author, fact.round] += 1
            must(self.fresh[author, fact.round] <= safety.max_proposals_per_round, "too many this round", author)
        self._within_total(author)
        must(author not in fact.evaluators, "a proposer evaluates its own proposal", pid)
        concerned = self._concerned(proposal["diff"], author)
        must(concerned <= set(fact.evaluators), "an affected peer is left out", pid, concerned, fact.evaluators)
        listed = {n for n in proposal["affected_agents"] if n in self.agents} - {author}
        must(listed <= set(fact.evaluators), "a listed peer is left out", pid)
        if concerned or listed:
            must(set(fact.evaluators) == concerned | listed, "somebody evaluates whom it does not concern", pid)
        self.tabled[pid], self.said[pid], self.silent[pid] = fact, {}, set()
        self.open.add(pid)

    def _within_total(self, author: str) -> None:
        must(self.charged[author] <= self.world.safety.max_proposals_per_agent, "too many in all", author)

    def _concerned(self, diff: Any, author: str) -> set[str]:
        """Owners of the classes that are touched, and the other ends of links at contracts that are."""
        found = {op["node"] for op in diff}
        after = self._after(diff)
        for link in self.world.links:
            a, b = link.producer, link.consumer
            if after.get((a.node, a.method, "output"), 0) != 0:
                found.add(b.node)
            if after.get((b.node, b.method, "input"), 0) != 0:
                found.add(a.node)
        return found - {author}

    def _schema(self, node: str, method: str, side: str) -> Any:
        found = self.agents[node].method(method)
        sides = {"input": found.input_schema, "output": found.output_schema} if found else {}
        return sides[side].json_schema if sides.get(side) else None

    def _after(self, diff: Any) -> dict[tuple[str, str, str], Any]:
        """Contract -> what it becomes, where it changes."""
        from graphbus_core.model.operation import FieldOperation, parse_operation

        made: dict[tuple[str, str, str], Any] = {}
        for data in diff:
            op = parse_operation(data)
            if isinstance(op, FieldOperation):
                slot = (op.node, str(op.method), op.side)
                made[slot] = contracts.apply_operation(made.get(slot, self._schema(*slot)), op)
        return {slot: now for slot, now in made.items() if now != self._schema(*slot)}

    def _breaks(self, diff: Any) -> bool:
        """Whether a link that fitted does not fit after."""
        after = self._after(diff)
        for link in self.world.links:
            slots = (
                (link.producer.node, str(link.producer.method), "output"),
                (link.consumer.node, str(link.consumer.method), "input"),
            )
            if not any(s in after for s in slots):
                continue
            was = [contracts.Contract.from_json_schema(self._schema(*s)) for s in slots]
            now = [contracts.Contract.from_json_schema(after.get(s, self._schema(*s))) for s in slots]
            if contracts.check(was[0], was[1]).compatible and not contracts.check(now[0], now[1]).compatible:
                return True
        return False

    # -- what is said

    def _proposal_evaluated(self, fact: Any) -> None:
        must(fact.evaluator in self.tabled[fact.proposal_id].evaluators, "a stranger evaluates", fact.evaluator)
        self.said[fact.proposal_id].setdefault(fact.evaluator, []).append(fact.evaluation["decision"])
        limit = self.world.safety.max_back_and_forth + 1
        must(len(self.said[fact.proposal_id][fact.evaluator]) <= limit, "asked too often", fact.evaluator)

    def _evaluator_silent(self, fact: Any) -> None:
        self.silent[fact.proposal_id].add(fact.evaluator)

    def _ruled(self, fact: Any) -> None:
        for pid in fact.proposals:
            parties = {self.tabled[pid].proposal["proposer"], *self.tabled[pid].evaluators}
            must(fact.arbiter not in parties, "an arbiter rules on its own matter", fact.arbiter, pid)
            self.rulings[pid] = (fact.arbiter, fact.ruling)

    def _proposal_agreed(self, fact: Any) -> None:
        self.agreed[fact.proposal_id] = fact

    # -- what is done

    def _proposal_committed(self, fact: Any) -> None:
        pid, safety = fact.proposal_id, self.world.safety
        tabled = self.tabled[pid]
        agreed = self.agreed[pid]
        diff = agreed.diff if agreed.diff is not None else tabled.proposal["diff"]
        last = {n: said[-1] for n, said in self.said[pid].items() if n not in self.silent[pid]}
        yes = {n for n, d in last.items() if d in YES}
        no = {n for n, d in last.items() if d in NO}
        concerned = self._concerned(diff, tabled.proposal["proposer"])
        if concerned:
            must(yes & concerned, "a commit without one real accept of whom it concerns", pid)
        if self._breaks(diff):
            must(yes == set(tabled.evaluators), "a breaking change without everybody", pid, last)
        if no:
            must(agreed.consensus in ("arbiter", "majority"), "a commit against a no", pid, agreed.consensus)
        if agreed.consensus == "arbiter":
            must(self.rulings[pid][1]["proposal_id"] == pid, "a commit that the arbiter did not choose", pid)
        if agreed.consensus == "majority":
            must(not safety.require_arbiter_on_conflict, "a majority where an arbiter is required", pid)
            must(len(yes & concerned) > len(no & concerned) or not concerned, "a majority that is none", pid)
        if self.world.config.human_in_loop:
            must(pid in self.approved, "a commit that nobody approved", pid)
        files = set(fact.receipt["files"])
        self.changed |= files
        must(len(files) <= safety.max_file_changes_per_commit, "too many files in a commit", pid)
        must(len(self.changed) <= safety.max_total_file_changes, "too many files in all", pid)
        must(not files & set(safety.protected_files), "a protected file was changed", pid)
        touched = {self.agents[op["node"]].source_file for op in diff}
        must(files <= touched, "a file that the diff does not touch", pid)
        self.files |= fact.receipt["after"]
        for name, data in fact.receipt["agents"].items():
            self.agents[name] = AgentDefinition.from_dict(data)
        self._close(pid, "committed")

    approved: set[str] = frozenset()  # type: ignore[assignment]

    def _commit_approved(self, fact: Any) -> None:
        self.approved = {*self.approved, fact.proposal_id}

    def _proposal_rejected(self, fact: Any) -> None:
        self._close(fact.proposal_id, "rejected")

    def _proposal_superseded(self, fact: Any) -> None:
        self._close(fact.proposal_id, "superseded")

    def _commit_failed(self, fact: Any) -> None:
        self._close(fact.proposal_id, "commit_failed")

    def _proposal_withdrawn(self, fact: Any) -> None:
        self._close(fact.proposal_id, "withdrawn")

    def _close(self, pid: str, outcome: str) -> None:
        must(pid in self.open, "a proposal ends twice", pid, outcome)
        self.open.discard(pid)
        self.outcomes[pid] = outcome

    def _negotiation_ended(self, fact: Any) -> None:
        self.ended = fact
        must(self.queued | self.open == {*fact.unheard, *fact.deferred}, "something is lost at the end")
        for pid in fact.unheard:
            self.outcomes[pid] = "unheard"
        for pid in fact.deferred:
            self.outcomes[pid] = "deferred"
        if fact.reason != "stopped":
            must(self.made == self.counted, "a proposal vanished", self.made, self.counted)

    def at_the_end(self, start: Mapping[str, str], now: Mapping[str, str], asked: Counter[str]) -> None:
        """The files are the fold of the log, and no question was asked without end."""
        must(self.ended is not None, "it did not end")
        must({**start, **self.files} == dict(now), "the files are not the fold of the log")
        size, rounds = len(self.world.names), self.world.safety.max_negotiation_rounds
        proposals = len(self.tabled)
        bound = 3 * (rounds * size + proposals * size * (self.world.safety.max_back_and_forth + 1) + 3 * proposals)
        must(len(asked) <= bound, "too many questions", len(asked), bound)
