"""Scripted teams: seeded overlaps, silences, kills and broken promises, in real repositories with real landings.

The project of a team is made with its call graph, so who overlaps with whom is known without asking the engine: two
seats that edit one function, two that add one name, and one that changes what users of a function can tell while the
other edits a function that calls it. Some seats never plan; their files alone tell. A killed step is a child process
that gets SIGKILL in the middle, and is done again.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from graphbus_core.errors import GraphBusError
from graphbus_core.logs.jsonl import LogReader
from graphbus_core.negotiation.team import events as facts
from graphbus_core.negotiation.team.protocol import TeamProtocol
from graphbus_core.services import team

MODULES, FUNCTIONS = 4, 4
MAX_STEPS = 400
STEP_S = 60.0
LEASE_S = 1_800.0
CONTRACT = ("parameter", "key", "default")


@dataclass
class Edit:
    """One change of one function by one seat. `kind`: parameter, key, default, body, or new (a function is added)."""

    path: str
    name: str
    kind: str
    seat: str

    @property
    def symbol(self) -> str:
        return f"{self.path}::{self.name}"

    @property
    def mark(self) -> str:
        """What stands in the text once it is made."""
        return f"{self.seat}_{self.name}"

    def plan(self) -> str:
        words = {"parameter": f"add parameter {self.mark} = 0", "key": f"add key {self.mark}", "body": "body",
                 "default": f"change parameter rate = {self.number}", "new": "add (value)"}  # fmt: skip
        return f"{self.symbol}: {words[self.kind]}"

    @property
    def number(self) -> int:
        return 10 + sum(map(ord, self.seat))

    def apply(self, text: str) -> str:
        """The text with this change; the same text where it is made already."""
        if f"# {self.mark}" in text:
            return text
        if self.kind == "new":
            return f"{text}\n\ndef {self.name}(value):  # {self.mark}\n    return value + {self.number}\n"
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith(f"def {self.name}("))
        if self.kind == "parameter":
            lines[at] = lines[at].replace("):", f", {self.mark}=0):", 1)
        elif self.kind == "default":
            head, _, tail = lines[at].partition("rate=")
            lines[at] = head + f"rate={self.number}" + tail.lstrip("0123456789")
        elif self.kind == "key":
            end = next(i for i in range(at, len(lines)) if "return {" in lines[i])
            lines[end] = lines[end].replace("}", f', "{self.mark}": value}}', 1)
        lines.insert(at + 1, f"    value = value + {self.number}  # {self.mark}")
        return "\n".join(lines)


@dataclass
class Member:
    """A seat with what it will do, and how far it is."""

    name: str
    edits: list[Edit]
    plans: bool
    silent_at: int = -1  # the step of its own at which it falls silent
    breaks: Edit | None = None  # what it plans, and does not do
    contrary: bool = False
    folder: Path = Path()
    steps: int = 0
    said: set[str] = field(default_factory=set)  # symbols that the table could know of by now
    edited: bool = False
    landed: bool = False
    dropped: set[str] = field(default_factory=set)
    reads: dict[str, bytes] = field(default_factory=dict)  # what it last wrote

    @property
    def is_silent(self) -> bool:
        return 0 <= self.silent_at <= self.steps


class ScriptedTeam:
    """One team: its project, its seats, and what went wrong."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance, self.seed, self.now = random.Random(seed), seed, 1_000_000.0
        self.root = folder / "project"
        self.calls: dict[str, set[str]] = {}
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.last = ""
        self.landed_before: dict[str, set[str]] = {}
        self._make_project()
        self.members = self._make_members()

    # ---- what there is

    def _make_project(self) -> None:
        self.root.mkdir(parents=True)
        names = [(f"part{m}.py", f"step_{m}_{f}") for m in range(MODULES) for f in range(FUNCTIONS)]
        for m in range(MODULES):
            imports, bodies = set(), []
            for f in range(FUNCTIONS):
                path, name = f"part{m}.py", f"step_{m}_{f}"
                targets = [t for t in names if t[0] < path or (t[0] == path and t[1] < name)]
                called = self.chance.sample(targets, min(len(targets), self.chance.choice((0, 1, 1, 2))))
                self.calls[f"{path}::{name}"] = {f"{p}::{n}" for p, n in called}
                imports |= {f"from {p[:-3]} import {n}" for p, n in called if p != path}
                uses = "".join(f'    value = {n}(value)["value"]\n' for _, n in called)
                bodies.append(f'def {name}(value, rate=1):\n{uses}    return {{"value": value * rate}}\n')
            text = "\n".join(sorted(imports)) + ("\n\n\n" if imports else "") + "\n\n".join(bodies)
            (self.root / f"part{m}.py").write_text(text)
        for words in (("init", "-q", "-b", "main"), ("config", "user.name", "x"), ("config", "user.email", "x@x.org"),
                      ("add", "-A"), ("commit", "-q", "-m", "base")):  # fmt: skip
            self._git(self.root, *words)

    def _make_members(self) -> list[Member]:
        symbols = list(self.calls)
        names = ["ada", "bob", "eve", "fay", "gil", "hal"][: self.chance.randint(2, 6)]
        members = []
        for name in names:
            chosen = self.chance.sample(symbols, self.chance.randint(1, 3))
            kinds = ("body", "body", *CONTRACT)
            edits = [Edit(*s.split("::"), self.chance.choice(kinds), name) for s in chosen]
            if self.chance.random() < 0.2:
                edits.append(Edit("part0.py", "shared_helper", "new", name))
            member = Member(name, edits, self.chance.random() < 0.7, contrary=self.chance.random() < 0.2)
            if self.chance.random() < 0.15:
                member.silent_at = self.chance.randint(1, 8)
            if member.plans and self.chance.random() < 0.2:
                other = self.chance.choice([s for s in symbols if s not in chosen])
                member.breaks = Edit(*other.split("::"), "key", name)
            members.append(member)
        if not any(m.silent_at < 0 for m in members):
            members[0].silent_at = -1
        return members

    def _git(self, where: Path, *words: str) -> str:
        done = subprocess.run(["git", "-C", str(where), *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"git {words}: {done.stderr}")
        return done.stdout.strip()

    def find_true_overlaps(self, left: Member, right: Member) -> set[str]:
        """The symbols at which two seats meet, of what the table could know by now."""
        found = set()
        for one, two in ((left, right), (right, left)):
            for edit in self._list_claims(one):
                if edit.symbol in two.said:
                    found.add(edit.symbol)
                elif edit.kind in CONTRACT:
                    callers = {s for s, called in self.calls.items() if edit.symbol in called}
                    found |= {edit.symbol} if callers & two.said else set()
        return found

    @staticmethod
    def _list_claims(member: Member) -> list[Edit]:
        claims = [*member.edits, *([member.breaks] if member.breaks else [])]
        return [edit for edit in claims if edit.symbol in member.said]

    # ---- what happens

    def run(self) -> None:
        team.start(self.root, lease_s=LEASE_S, clock=self.clock)
        for member in self.members:
            member.folder = Path(team.join(self.root, member.name, worktree="", clock=self.clock)["worktree"])
        for _ in range(MAX_STEPS):
            waiting = [m for m in self.members if not m.landed and not m.is_silent]
            if not waiting:
                break
            member = self.chance.choice(waiting)
            self.now += STEP_S
            self._step(member)
            member.steps += 1
        else:
            left = [m.name for m in self.members if not m.landed and not m.is_silent]
            self.faults.append(f"did not end: {left}; the last reason: {self.last}")
        self._check_end()

    def clock(self) -> float:
        return self.now

    def _step(self, member: Member) -> None:
        if member.steps == 0 and member.plans:
            claims = [*member.edits, *([member.breaks] if member.breaks else [])]
            self._do(member, lambda: team.plan(member.folder, "\n".join(e.plan() for e in claims), clock=self.clock))
            member.said |= {e.symbol for e in claims}
        elif not member.edited:
            self._write(member, [e for e in member.edits if self.chance.random() < 0.6 or member.steps > 3])
            member.edited = all(e.symbol in member.said and f"# {e.mark}" in (member.folder / e.path).read_text()
                                for e in member.edits)  # fmt: skip
        else:
            self._talk(member)
            self._try_to_land(member)

    def _write(self, member: Member, edits: list[Edit]) -> None:
        for edit in edits:
            if edit.symbol in member.dropped:
                continue
            file = member.folder / edit.path
            file.write_text(edit.apply(file.read_text()))
            member.said.add(edit.symbol)
        for path in {e.path for e in member.edits}:
            member.reads[path] = (member.folder / path).read_bytes()

    def _talk(self, member: Member) -> None:
        told = self._do(member, lambda: team.turn(member.folder, clock=self.clock))
        if told is None:
            return
        if told["status"] == "lapsed":
            if member.breaks:  # a lapsed seat has no claims left: what it plans anew is all that it promises
                member.dropped.add(member.breaks.symbol)
                member.breaks = None
            lines = "\n".join(e.plan() for e in member.edits if e.kind != "new")
            self._do(member, lambda: team.plan(member.folder, lines, clock=self.clock))
            return
        words = []
        for question in told["asked"]:
            possible = [choice for choice in question["choices"] if not choice["impossible"]]
            choice = possible[0]
            mine = question["accepted"].get(member.name)
            if member.contrary and mine is None and self.chance.random() < 0.5:
                choice = possible[-1]
            if mine != choice["hash"]:
                words.append(f"@accept {question['id']} {choice['hash']}")
        if words:
            self._do(member, lambda: team.say(member.folder, "\n".join(words), clock=self.clock))

    def _try_to_land(self, member: Member) -> None:
        self._drop_what_is_another_s(member)
        self._git(member.folder, "add", "-A")
        if self._git(member.folder, "status", "--porcelain"):
            self._git(member.folder, "commit", "-q", "-m", member.name)
        before = self._git(self.root, "rev-parse", "main")
        true = {m.name: self.find_true_overlaps(member, m) for m in self.members if m is not member and not m.landed}
        if self._git(member.folder, "rev-list", "--count", "main..HEAD") == "0":
            member.landed = True  # all of its work is another's by agreement
            team.say(member.folder, "@leave", clock=self.clock)
            return
        done = self._do(member, lambda: team.land(member.folder, verify=None, clock=self.clock), kills=0.1)
        after = self._git(self.root, "rev-parse", "main")
        if before != after:
            self._check_told(member, true)
            member.landed = True
            self.counts["landings"] += 1
        elif done is not None and not done["landing"]["good"]:
            self.counts["refused by a gate"] += 1
            self._sync(member)
        elif done is None:
            self._sync(member)

    def _sync(self, member: Member) -> None:
        done = self._do(member, lambda: team.sync(member.folder, clock=self.clock), kills=0.1)
        if done is not None and done["status"] == "refused":
            self.counts["syncs refused"] += 1
            # As an agent would: take what landed, and make the changes again on top of it.
            self._git(member.folder, "reset", "-q", "--hard", "main")
            self._write(member, member.edits)
        for edit in member.edits:
            file = member.folder / edit.path
            if edit.symbol not in member.dropped and f"# {edit.mark}" not in file.read_text():
                self.faults.append(f"{member.name} lost {edit.mark} in a sync")
        for path in member.reads:
            member.reads[path] = (member.folder / path).read_bytes()

    def _drop_what_is_another_s(self, member: Member) -> None:
        """Take out what was settled to be another's piece."""
        state = self._read()
        for question in state.list_questions(member.name, is_open=False):
            owner = question.decision.get("effect", {}).get("owner")
            if owner and owner != member.name and question.about not in member.dropped:
                member.dropped.add(question.about)
                if not member.plans:  # its files alone told of it, and they no longer do
                    member.said.discard(question.about)
                left = [e for e in member.edits if e.symbol not in member.dropped]
                self._git(
                    member.folder, "reset", "-q", "--hard", self._git(member.folder, "merge-base", "main", "HEAD")
                )
                member.edits = left
                self._write(member, left)

    def _read(self) -> team.State:
        from graphbus_core.sessions.team.table import TeamTable

        return TeamTable(self.root).read_state()

    def _do(self, member: Member, action: Callable[[], dict], kills: float = 0.06) -> dict | None:
        """Do it, now and then in a child that is killed first; None where it was refused."""
        if self.chance.random() < kills:
            self.counts["kills"] += 1
            _kill_in_the_middle(action, self.chance.random() * 0.4)
        try:
            return action()
        except GraphBusError as e:
            self.counts["refused"] += 1
            self.last = str(e)
            return None

    # ---- what must hold

    def _check_told(self, member: Member, true: dict[str, set[str]]) -> None:
        state = self._read()
        lapsed = {s.name for s in state.seats.values() if s.status == "lapsed"}
        for other, symbols in true.items():
            if other in lapsed:
                continue
            asked = {q.about for q in state.questions.values() if set(q.seats) == {member.name, other}}
            for symbol in symbols:
                self.counts["overlaps"] += 1
                if symbol not in asked:
                    self.faults.append(f"{member.name} landed and {other} was not asked of {symbol}")

    def _check_end(self) -> None:
        protocol = TeamProtocol()
        state = protocol.open()
        for entry in LogReader(self.root / ".git/graphbus/team/log.jsonl", TeamProtocol.events):
            event = entry.event
            if isinstance(event, facts.Landed):
                for question in state.list_questions(event.seat):
                    if state.seats[question.find_other(event.seat)].is_active:
                        self.faults.append(f"{event.seat} landed over {question.id}")
            state = protocol.evolve(state, event)
        self._check_questions(state)
        main = {f"part{m}.py": self._git(self.root, "show", f"main:part{m}.py") for m in range(MODULES)}
        for member in self.members:
            if member.landed:
                for edit in member.edits:
                    if f"# {edit.mark}" not in main[edit.path]:
                        self.faults.append(f"{member.name} landed without {edit.mark}")
            for path, data in member.reads.items():
                if not member.landed and (member.folder / path).read_bytes() != data:
                    self.faults.append(f"{member.name} lost bytes of {path}")
            self.counts["silent"] += member.is_silent and not member.landed
            if member.breaks and member.landed and not any(b.seat == member.name for b in state.broken):
                self.faults.append(f"{member.name} broke a promise and nobody said so")
            self.counts["broken promises"] += bool(member.breaks and member.landed)
        if subprocess.run(["git", "-C", str(self.root), "status", "--porcelain"], capture_output=True).stdout:
            self.faults.append("the tree of the repository is not clean")

    def _check_questions(self, state: team.State) -> None:
        """No two were asked who do not meet."""
        for member in self.members:
            member.said = {
                e.symbol for e in [*member.edits, *([member.breaks] if member.breaks else [])]
            } | member.dropped
        by_name = {m.name: m for m in self.members}
        for question in state.questions.values():
            self.counts["questions"] += 1
            left, right = (by_name[name] for name in question.seats)
            if question.about not in self.find_true_overlaps(left, right) | left.dropped | right.dropped:
                self.counts["asked for nothing"] += 1


def _kill_in_the_middle(action: Callable[[], dict], after_s: float) -> None:
    child = os.fork()
    if child == 0:
        try:
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 2)
            action()
        finally:
            os._exit(0)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def print_scripted(teams: int, seed: int) -> None:
    """Run so many teams; print what happened, and every fault."""
    counts: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    faults: list[str] = []
    begun = time.process_time()
    for number in range(teams):
        with tempfile.TemporaryDirectory(prefix="graphbus-team-") as folder:
            scripted = ScriptedTeam(seed + number, Path(folder))
            scripted.run()
        counts += scripted.counts
        sizes[len(scripted.members)] += 1
        counts["pairs of seats"] += len(list(combinations(scripted.members, 2)))
        faults += [f"team {seed + number}: {fault}" for fault in scripted.faults]
        if scripted.faults:
            print(faults[-1], flush=True)
    print(f"{teams} scripted teams, seats: {dict(sorted(sizes.items()))}")
    for name in ("pairs of seats", "overlaps", "questions", "asked for nothing", "landings", "refused",
                 "refused by a gate", "syncs refused", "kills", "silent", "broken promises"):  # fmt: skip
        print(f"  {name:<22}{counts[name]:>6}")
    print(f"  faults                {len(faults):>6}   (an overlap not told before a landing, a landing over an open")
    print("                                 question, bytes lost, a broken promise not said, a team that does not end)")
    print(f"  processor time        {time.process_time() - begun:>6.0f} s without children")
