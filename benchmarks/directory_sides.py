"""Random negotiations with an agent that tries to agree alone: how many agreements have one side only.

`pure` plays the rules, `files` edits the Markdown and turn.md by hand. What an honest agent wrote or accepted is noted
beside the negotiation, and every decision is held against those notes. Used by `benchmarks/directory.py` and the tests.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.document import NegotiationDirectory
from graphbus_core.negotiation.core import Session
from graphbus_core.negotiation.document import agreement
from graphbus_core.negotiation.document.protocol import DocumentProtocol, Outcome
from graphbus_core.negotiation.document.said.state import Issue, State
from graphbus_core.negotiation.document.said.vocabulary import Accept, Edits, Mark, Settings, Words
from graphbus_core.stores.memory import MemoryLog

TRIES = "agent-beta"  # the one that tries
AGENTS = ("agent-alpha", "agent-beta", "agent-gamma")
THINGS = ("backups", "logs", "traces")


def meaning(text: str) -> tuple[str, bool]:
    """What a sentence of this game says: its number, and whether it says "not"."""
    digits = "".join(c if c.isdigit() else " " for c in text).split()
    return (digits[0] if digits else "", " not " in f" {text} ")


def sentence(chance: random.Random, thing: str) -> str:
    """A position on how long something is kept."""
    days = chance.choice((7, 30, 90, 365))
    return chance.choice(
        (
            f"Keep {thing} {days} days.",
            f"We keep the {thing} for {days} days.",
            f"Do not keep {thing} longer than {days} days.",
            f"{thing.capitalize()} are kept {days} days.",
        )
    )


@dataclass
class Notes:
    """What each honest agent stands for, on each issue."""

    meant: dict[tuple[str, str], set[tuple[str, bool]]] = field(default_factory=dict)

    def note(self, who: str, stem: str, text: str) -> None:
        """This agent wrote or accepted this."""
        self.meant.setdefault((who, stem), set()).add(meaning(text))

    def one_sided(self, state: State) -> list[str]:
        """Decisions that an honest agent neither wrote nor accepted; skipped agents had their chance."""
        found = []
        for issue in state.issues.values():
            if issue.status != "AGREED" or issue.ruled:
                continue
            for who in state.agents:
                absent = issue.skips.get(who, 0) > 0
                if (
                    who != TRIES
                    and not absent
                    and meaning(issue.decision) not in self.meant.get((who, issue.stem), set())
                ):
                    found.append(f"{issue.stem}: {issue.decision!r} against {who}")
        return found


def honest(chance: random.Random, state: State, issue: Issue, who: str, notes: Notes) -> list[Words | Mark | Accept]:
    """A position, an offer, an acceptance by hash, or AGREED with another's words."""
    thing = issue.title
    theirs = [(d, e) for d, e in agreement.offers(issue).items() if e.by != who]
    if theirs and chance.random() < 0.5:
        digest, entry = chance.choice(theirs)
        notes.note(who, issue.stem, entry.text)
        if chance.random() < 0.5:
            return [Accept(issue.stem, digest)]
        return [Mark(issue.stem, "AGREED", agreement.offered(entry.text))]
    text = sentence(chance, thing)
    notes.note(who, issue.stem, text)
    last = agreement.last_round(state, issue, who)
    if last and agreement.answers_last_offer(issue, who):
        return [Mark(issue.stem, "ESCALATE", "We differ on the days.")]
    return [Words(issue.stem, text, offer=last or chance.random() < 0.4)]


def sly(chance: random.Random, state: State, issue: Issue, who: str) -> list[Words | Mark | Accept]:
    """Whatever might make its own text the decision."""
    entries = [e for e in issue.entries if e.kind == "position"]
    own = [d for d, e in agreement.offers(issue).items() if e.by == who]
    theirs = [e for e in entries if e.by != who]
    base = chance.choice(theirs).text if theirs else sentence(chance, issue.title)
    days = meaning(base)[0]
    other = base.replace(days, chance.choice(("1", "9", "900")), 1) if days else base
    turned = (
        base.replace("Keep", "Do not keep").replace("We keep", "We do not keep").replace("are kept", "are not kept")
    )
    fresh = sentence(chance, issue.title)
    tries: list[list[Words | Mark | Accept]] = [
        [Mark(issue.stem, "AGREED", other)],
        [Mark(issue.stem, "AGREED", turned)],
        [Words(issue.stem, fresh), Mark(issue.stem, "AGREED", fresh)],
        [Words(issue.stem, "Agreed."), Mark(issue.stem, "AGREED", f"{base} And {other}")],
        [Accept(issue.stem, d) for d in own[:1]] or [Mark(issue.stem, "AGREED", fresh)],
        [Accept(issue.stem, agreement.offer_hash(issue.stem, chance.choice(entries)))] if entries else [],
        [Words(issue.stem, other, offer=True)],
        [Mark(issue.stem, "AGREED", f"Proposed: {other}")],
    ]
    return chance.choice(tries) or [Words(issue.stem, fresh)]


def edits(moves: list[Words | Mark | Accept]) -> Edits:
    """Moves as the edits of a turn."""
    return Edits(
        tuple(m for m in moves if isinstance(m, Words)),
        tuple(m for m in moves if isinstance(m, Mark)),
        accepts=tuple(m for m in moves if isinstance(m, Accept)),
    )


def pure(seed: int, max_turns: int = 40) -> tuple[list[str], int]:
    """One negotiation by the rules alone: (one-sided agreements, agreements)."""
    chance = random.Random(seed)
    names = AGENTS[: chance.choice((2, 2, 3))]
    session: Session[State, Outcome] = Session(DocumentProtocol(), None, MemoryLog())
    bounds = {"expected_agents": len(names), "max_rounds": chance.choice((2, 3, 5))}
    session.submit("", {"move": "open", "settings": bounds})
    for number, thing in enumerate(THINGS[: chance.choice((1, 2, 3))], 1):
        session.submit(
            "", {"move": "file", "stem": f"{number:02d}-{thing}", "title": thing, "text": f"How long {thing}?"}
        )
    for name in names:
        session.submit(name, {"move": "register"})
    notes = Notes()
    for _ in range(max_turns):
        state = session.state
        if session.outcome is not None or state.all_settled():
            break
        who = state.holder
        if chance.random() < 0.05:
            session.submit(who, {"move": "skip", "why": "silent"})
            continue
        moves = []
        for issue in state.issues.values():
            if issue.open:
                moves += sly(chance, state, issue, who) if who == TRIES else honest(chance, state, issue, who, notes)
        how = "moved" if chance.random() < 0.5 else "hand-off"
        fact = session.submit(who, {"move": "hand-off", "how": how, **edits(moves).to_dict()})[0]
        if fact.kind == "move_refused":
            session.submit(who, {"move": "skip", "why": "refused"})
    state = session.state
    return notes.one_sided(state), sum(i.status == "AGREED" for i in state.issues.values())


def files(root: Path, seed: int, max_turns: int = 16) -> tuple[list[str], int]:
    """One negotiation in which the one that tries edits the files by hand, turn.md too, and says `done` as it likes."""
    chance = random.Random(seed)
    where = NegotiationDirectory(root)
    where.init(Settings(2, max_rounds=4))
    stems = [str(where.new_issue(thing).data["file"])[:-3] for thing in THINGS[: chance.choice((1, 2))]]
    for name in AGENTS[:2]:
        where.register(name)
    notes = Notes()
    for _ in range(max_turns):
        state = where.look()
        who = state.holder
        if not who or state.all_settled():
            break
        for stem in stems:
            issue = state.issues[stem]
            if not issue.open:
                continue
            if who != TRIES:
                for move in honest(chance, state, issue, who, notes):
                    _by_command(where, who, move)
                continue
            path = root / "positions" / f"{stem}.md"
            text = path.read_text() if path.exists() else f"# Positions: {stem}\n"
            for move in sly(chance, state, issue, who):
                if isinstance(move, Words):
                    text += f"\n## {who}'s position (round {state.rounds_used(issue, who) + 1})\n{move.text}\n"
                elif isinstance(move, Mark):
                    text += f"\n## Status: {move.status}\n{move.text}\n"
            path.write_text(text)
        if who == TRIES and chance.random() < 0.4:
            decided = [i.decision for i in state.issues.values()]
            (root / "final.md").write_text("# Final\n\n" + "\n\n".join(decided) + "\n")
            (root / "turn.md").write_text("done\n")
        elif who == TRIES:
            (root / "turn.md").write_text(f"{AGENTS[0]}\n")
        elif not where.hand_off(who).ok:
            for stem in stems:
                where.write(who, stem, "We differ.", status="ESCALATE")
            if not where.hand_off(who).ok:
                break
    state = where.look()
    return notes.one_sided(state), sum(i.status == "AGREED" for i in state.issues.values())


def _by_command(where: NegotiationDirectory, who: str, move: Words | Mark | Accept) -> None:
    match move:
        case Words():
            where.write(who, move.issue, move.text, "offer" if move.offer else "position")
        case Mark():
            where.write(who, move.issue, move.text, status=move.status)
        case Accept():
            where.write(who, move.issue, "", accept=move.hash)
