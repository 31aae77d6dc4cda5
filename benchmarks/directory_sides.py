"""Random negotiations with an agent that tries to agree alone: how many agreements have one side only.

`pure` plays the rules, `played` a directory by command, over MCP or by editing files. What an honest agent wrote or
accepted is noted beside the negotiation, and every decision is held against those notes. Used by
`benchmarks/directory.py` and the tests.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.core import Session
from graphbus_core.negotiation.document import agreement
from graphbus_core.negotiation.document.model import Accept, Edits, Mark, Settings, Words
from graphbus_core.negotiation.document.protocol import DocumentProtocol, Outcome
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory

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
    theirs = [(d, e) for d, e in agreement.collect_offers(issue).items() if e.by != who]
    if theirs and chance.random() < 0.5:
        digest, entry = chance.choice(theirs)
        notes.note(who, issue.stem, entry.text)
        if chance.random() < 0.5:
            return [Accept(issue.stem, digest)]
        return [Mark(issue.stem, "AGREED", entry.text)]
    text = sentence(chance, thing)
    notes.note(who, issue.stem, text)
    last = agreement.is_last_round(state, issue, who)
    if last and agreement.must_answer_last_offer(issue, who):
        return [Mark(issue.stem, "ESCALATE", "We differ on the days.")]
    return [Words(issue.stem, text, offer=last or chance.random() < 0.4)]


def sly(chance: random.Random, state: State, issue: Issue, who: str) -> list[Words | Mark | Accept]:
    """Whatever might make its own text the decision."""
    entries = [e for e in issue.entries if e.kind == "position"]
    own = [d for d, e in agreement.collect_offers(issue).items() if e.by == who]
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
        [Accept(issue.stem, agreement.compute_offer_hash(issue.stem, chance.choice(entries)))] if entries else [],
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
        if session.outcome is not None or state.are_all_settled():
            break
        who = state.holder
        if chance.random() < 0.05:
            session.submit(who, {"move": "skip", "why": "silent"})
            continue
        moves = []
        for issue in state.issues.values():
            if issue.is_open:
                moves += sly(chance, state, issue, who) if who == TRIES else honest(chance, state, issue, who, notes)
        how = "moved" if chance.random() < 0.5 else "hand-off"
        fact = session.submit(who, {"move": "hand-off", "how": how, **edits(moves).to_dict()})[0]
        if fact.kind == "move_refused":
            session.submit(who, {"move": "skip", "why": "refused"})
    state = session.state
    return notes.one_sided(state), sum(i.status == "AGREED" for i in state.issues.values())


@dataclass
class Table:
    """One negotiation in a directory: an honest agent with a token, and the one that tries."""

    where: NegotiationDirectory
    chance: random.Random
    stems: list[str]
    tokens: dict[str, str]
    notes: Notes = field(default_factory=Notes)

    def open_issues(self) -> list[Issue]:
        """What is still to be settled."""
        return [issue for issue in self.where.read_state().issues.values() if issue.is_open]


def played(root: Path, seed: int, road: str, max_turns: int = 16) -> tuple[list[str], int]:
    """One negotiation in which one tries by `road` ("command", "mcp" or "files"): (one-sided agreements, agreements).

    Between its turns it tries, too: it acts in the other's name, edits its file in the other's turn, says `done`.
    """
    chance = random.Random(seed)
    where = NegotiationDirectory(root)
    where.init(Settings(2, max_rounds=chance.choice((2, 4))))
    stems = [str(where.add_issue(thing).data["file"])[:-3] for thing in THINGS[: chance.choice((1, 2))]]
    tokens = {AGENTS[0]: "honest", TRIES: "" if road == "files" else "sly"}
    for name, token in tokens.items():
        where.register(name, token=token)
    table = Table(where, chance, stems, tokens)
    tries = {"command": _tries_by_command, "mcp": _tries_by_mcp, "files": _tries_by_files}[road]
    for _ in range(max_turns):
        state = where.read_state()
        if not state.holder or state.are_all_settled():
            break
        if state.holder == TRIES:
            tries(table, state)
        else:
            if chance.random() < 0.5:
                _meddles(table, road)
            if not _honest_turn(table):
                break
    state = where.read_state()
    return table.notes.one_sided(state), sum(i.status == "AGREED" for i in state.issues.values())


def _honest_turn(table: Table) -> bool:
    """One turn of the honest agent, by command. Whether it could hand off."""
    where, who = table.where, AGENTS[0]
    where.token = table.tokens[who]
    for issue in table.open_issues():
        for move in honest(table.chance, where.read_state(), issue, who, table.notes):
            _by_command(where, who, move)
    if where.hand_off(who).ok:
        return True
    where.recover()  # as the refusal says: what stands in its files in its name is not its own
    for issue in table.open_issues():
        if not where.read_state().has_written_now(issue, who):
            text = sentence(table.chance, issue.title)
            table.notes.note(who, issue.stem, text)
            where.write(who, issue.stem, text)
        where.write(who, issue.stem, "We differ.", status="ESCALATE")
    return where.hand_off(who).ok


def _meddles(table: Table, road: str) -> None:
    """In the other's turn: act in its name with one's own token or none, move turn.md, forge the files."""
    where, other = table.where, AGENTS[0]
    where.token = table.tokens[TRIES]
    if road == "files":
        stem = table.chance.choice(table.stems)
        path = where.root / "positions" / f"{stem}.md"
        text = path.read_text() if path.exists() else f"# Positions: {stem}\n"
        fresh = sentence(table.chance, stem[3:])
        name = table.chance.choice((other, TRIES))
        path.write_text(f"{text}\n## {name}'s position (round 1)\n{fresh}\n\n## Status: AGREED\n{fresh}\n")
        if table.chance.random() < 0.7:
            (where.root / "final.md").write_text(f"# Final\n\n{fresh}\n")
            (where.root / "turn.md").write_text(table.chance.choice((f"{TRIES}\n", "done\n")))
        where.poll(TRIES)
        where.recover()
        return
    for issue in table.open_issues()[:1]:
        own = [d for d, e in agreement.collect_offers(issue).items() if e.by == TRIES]
        where.write(other, issue.stem, "", accept=own[0] if own else "")
        turn_api.take_turn(where, other, f"@offer {issue.stem}\n{sentence(table.chance, issue.title)}")
        where.write(TRIES, issue.stem, "Out of turn.", "offer")
    where.hand_off(other)
    where.finish()
    where.register(other, token="sly")


def _sly_turn(table: Table, state: State) -> list[Words | Mark | Accept]:
    return [move for i in state.issues.values() if i.is_open for move in sly(table.chance, state, i, TRIES)]


def _tries_by_command(table: Table, state: State) -> None:
    where = table.where
    where.token = table.tokens[TRIES]
    for move in _sly_turn(table, state):
        _by_command(where, TRIES, move)
    _meddles(table, "command")
    if not (table.chance.random() < 0.5 and where.finish().ok):
        _gives_up(table)


def _tries_by_mcp(table: Table, state: State) -> None:
    """A client of the SDK, connected in this process to the server that `graphbus mcp` runs."""
    body: dict[str, list[dict[str, str]]] = {}
    for move in _sly_turn(table, state):
        if isinstance(move, Accept):
            body.setdefault("accepts", []).append({"issue": move.issue, "hash": move.hash})
        else:
            key = "offers" if isinstance(move, Mark) or move.offer else "positions"
            body.setdefault(key, []).append({"issue": move.issue, "text": move.text})
    asyncio.run(_by_mcp(table, body))
    table.where.token = table.tokens[TRIES]
    if table.where.read_state().holder == TRIES:
        _gives_up(table)


async def _by_mcp(table: Table, body: dict[str, list[dict[str, str]]]) -> None:
    from mcp import Client

    from graphbus_core.mcp.seats import DocumentTable
    from graphbus_core.mcp.server import Resources, build_server
    from graphbus_core.mcp.tools import NegotiationTools

    talk = NegotiationTools(table.where.root.parent)
    talk.own.tables["d"] = DocumentTable(table.where.root, TRIES, table.tokens[TRIES])
    made = build_server(talk, Resources.from_tools(talk))
    async with Client(made) as client:
        asked = (await client.call_tool("what_am_i_asked", {"wait_s": 0})).structured_content or {}
        answer = {"id": asked.get("id", "document/d/turn-1"), "answer": body}
        for _ in range(2):  # the second time it is refused, or its author is
            await client.call_tool("my_answer", answer)


def _gives_up(table: Table) -> None:
    """Its turn has to end: with a plain word on what is open, or else by a person's hand."""
    where = table.where
    if where.hand_off(TRIES).ok:
        return
    for issue in table.open_issues():
        where.write(TRIES, issue.stem, sentence(table.chance, issue.title))
        where.write(TRIES, issue.stem, "We differ.", status="ESCALATE")
    where.hand_off(TRIES)


def _tries_by_files(table: Table, state: State) -> None:
    """It edits the files by hand, turn.md too, and says `done` as it likes."""
    where, chance = table.where, table.chance
    for stem in table.stems:
        issue = state.issues[stem]
        if not issue.is_open:
            continue
        path = where.root / "positions" / f"{stem}.md"
        text = path.read_text() if path.exists() else f"# Positions: {stem}\n"
        for move in sly(chance, state, issue, TRIES):
            if isinstance(move, Words):
                text += f"\n## {TRIES}'s position (round {state.count_rounds(issue, TRIES) + 1})\n{move.text}\n"
            elif isinstance(move, Mark):
                text += f"\n## Status: {move.status}\n{move.text}\n"
        path.write_text(text)
    if chance.random() < 0.4:
        decided = [i.decision for i in state.issues.values()]
        (where.root / "final.md").write_text("# Final\n\n" + "\n\n".join(decided) + "\n")
        (where.root / "turn.md").write_text("done\n")
    else:
        (where.root / "turn.md").write_text(f"{AGENTS[0]}\n")


def _by_command(where: NegotiationDirectory, who: str, move: Words | Mark | Accept) -> None:
    match move:
        case Words():
            where.write(who, move.issue, move.text, "offer" if move.offer else "position")
        case Mark():
            where.write(who, move.issue, move.text, status=move.status)
        case Accept():
            where.write(who, move.issue, "", accept=move.hash)
