"""Random agents at one directory: rule-abiding, clumsy, hostile, dying, with our commands and by hand.

The log, the directory and the rules never disagree; it always ends; nobody's text is ever lost or altered.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, Phase as Phase_, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from graphbus_core.negotiation.core import Session
from graphbus_core.negotiation.document.model import Phase, Settings, Status
from graphbus_core.negotiation.document.protocol import DocumentProtocol
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document.directory import NegotiationDirectory

EXAMPLES = int(os.environ.get("GRAPHBUS_MACHINE_EXAMPLES", "8"))
NAMES = ("agent-alpha", "agent-beta", "agent-gamma")
TOKEN = re.compile(r"T\d{4}x")
WRITES = ("pwrite", "replace", "link", "ftruncate", "fdatasync", "write")


HEADINGS = ["### {}'s position (round 1)", "## **{}'s position**", "## My position", "", "---"]
BODIES = [
    "```\n## Status: AGREED\n```\n{}",
    "{}\n```\n",
    "```yaml\n## agent-alpha's position (round 1)\n{}",
    "Status: AGREED\n{}",
    "{}\n## Status: OPEN\nand T9999x below",
    "---\n{}\n---",
    "<!-- {} -->",
]


class Killed(BaseException):
    """The process ends here."""


class Table(RuleBasedStateMachine):
    """Each rule is something that somebody does."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="ein Tisch 卓 "))
        self.root = self.folder / "n"
        self.clock = 1000.0
        self.texts = 0
        self.standing: dict[str, str] = {}  # decisions that stand: they may not change any more
        self.entries: dict[str, list[tuple[str, str]]] = {}  # entries of turns that are over

    def teardown(self) -> None:
        """It always ends: silence alone is enough."""
        try:
            if hasattr(self, "agents"):
                for _ in range(400):
                    state = self.state()
                    if state.phase is Phase.DONE:
                        break
                    for issue in state.find_awaiting_judge():  # a person has no deadline
                        assert self.us().rule(issue.stem, "So be it.").ok
                    self.clock += 700
                else:
                    raise AssertionError("it does not end")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def us(self) -> NegotiationDirectory:
        """A new process of ours."""
        return NegotiationDirectory(self.root, now=lambda: 1.7e9, monotonic=lambda: self.clock)

    def state(self) -> State:
        return self.us().read_state()

    def text(self) -> str:
        self.texts += 1
        return f"T{self.texts:04}x says so."

    def tokens(self, everything: bool) -> set[str]:
        """Which texts stand in the files; with `everything`, also in what was kept."""
        found: set[str] = set()
        places = [self.root / "positions", self.root / "issues"]
        if everything:
            places += [self.root / ".graphbus" / "aside", self.root / ".graphbus"]
        for place in places:
            for path in place.iterdir() if place.is_dir() else ():
                if path.is_file():
                    found |= set(TOKEN.findall(path.read_text(errors="replace")))
        return found

    def do(self, work: Callable[[NegotiationDirectory], Any], dies_after: int | None = None) -> Any:
        """One command of ours: whatever it does, no text that stood in a file is gone afterwards."""
        before = self.tokens(False)
        result = None
        try:
            if dies_after is None:
                result = work(self.us())
            else:
                self.dying(work, dies_after)
        finally:
            lost = before - self.tokens(True)
            assert not lost, f"lost {lost}"
        return result

    def dying(self, work: Callable[[NegotiationDirectory], Any], after: int) -> None:
        left = [after]

        def counted(real: Any) -> Any:
            def call(*args: Any, **kwargs: Any) -> Any:
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
                return real(*args, **kwargs)

            return call

        patches = [patch.object(os, name, counted(getattr(os, name))) for name in WRITES]
        for one in patches:
            one.start()
        try:
            work(self.us())
        except Killed:
            pass
        finally:
            for one in patches:
                one.stop()

    @initialize(agents=st.integers(2, 3), issues=st.integers(0, 2), rounds=st.integers(1, 3), judge=st.booleans())
    def begin(self, agents: int, issues: int, rounds: int, judge: bool) -> None:
        """A negotiation with everybody registered."""
        self.agents = NAMES[:agents]
        self.do(lambda us: us.init(Settings(agents, max_rounds=rounds, judge="human" if judge else "")))
        for number in range(issues):
            self.do(lambda us, n=number: us.add_issue(f"point {n}"))
        for name in self.agents:
            assert self.do(lambda us, n=name: us.register(n)).ok

    # -- rule-abiding and clumsy

    @rule(agree=st.booleans(), hand=st.booleans())
    def takes_its_turn(self, agree: bool, hand: bool) -> None:
        """The holder writes on everything, agrees where it can, and hands off or finishes."""
        state = self.state()
        who = state.holder
        if not who:
            return
        for stem, issue in state.issues.items():
            if issue.is_settled or state.has_written_now(issue, who):
                continue
            self.do(lambda us, s=stem: us.write(who, s, self.text()))
            if issue.authors - {who} and agree:
                self.do(lambda us, s=stem: us.write(who, s, f"Decided: {self.text()}", status="AGREED"))
            elif issue.rounds.get(who, 0) + 1 >= state.settings.max_rounds:
                self.do(lambda us, s=stem: us.write(who, s, "We differ.", status="ESCALATE"))
        if hand:
            self.do(lambda us: us.hand_off(who))

    @rule(who=st.sampled_from(NAMES), dies=st.none() | st.integers(0, 12))
    def hands_off(self, who: str, dies: int | None) -> None:
        """Whether it may or not, perhaps for the last time."""
        self.do(lambda us: us.hand_off(who), dies)

    @rule(
        who=st.sampled_from(NAMES), number=st.integers(0, 3), status=st.sampled_from(["", "AGREED", "ESCALATE", "OPEN"])
    )
    def writes_anything(self, who: str, number: int, status: str) -> None:
        """Out of turn, on no issue, in agreement with itself."""
        self.do(lambda us: us.write(who, str(number), self.text(), status=status))

    @rule(dies=st.none() | st.integers(0, 12))
    def files_an_issue(self, dies: int | None) -> None:
        """Perhaps too late."""
        self.do(lambda us: us.add_issue("another point"), dies)

    @rule(everything=st.booleans(), dies=st.none() | st.integers(0, 12))
    def finishes(self, everything: bool, dies: int | None) -> None:
        """With a document that says everything, or nothing."""
        state = self.state()
        said = [f"{i.title}\n\n{i.decision}" for i in state.issues.values()] if everything else ["Nothing."]
        if state.phase is not Phase.DONE:
            (self.root / "final.md").write_text("\n\n".join(said))
        self.do(lambda us: us.finish(), dies)

    @rule(seconds=st.sampled_from([1, 300, 700, 4000]), who=st.sampled_from(NAMES))
    def time_passes(self, seconds: int, who: str) -> None:
        """And somebody polls."""
        self.clock += seconds
        self.do(lambda us: us.poll(who))

    @rule(number=st.integers(1, 3), how=st.sampled_from(["rule", "reopen", "recover"]))
    def a_person_acts(self, number: int, how: str) -> None:
        """Decides, gives back, or mends."""
        if how == "rule":
            self.do(lambda us: us.rule(str(number), f"Ruled: {self.text()}"))
        elif how == "reopen" and self.state().reopened < 2:
            told = self.do(lambda us: us.reopen(str(number)))
            if told.ok:
                self.standing.pop(told.data["issue"], None)
        else:
            self.do(lambda us: us.recover())

    # -- by hand, and hostile

    @rule(
        signed=st.sampled_from(NAMES),
        number=st.integers(0, 2),
        end=st.sampled_from(["", "AGREED", "ESCALATE", "maybe", "OPEN"]),
        heading=st.sampled_from(["## {}'s position (round 1)"] * 3 + HEADINGS),
        body=st.sampled_from(["{}"] * 3 + BODIES),
    )
    def writes_by_hand(self, signed: str, number: int, end: str, heading: str, body: str) -> None:
        """An entry at the end of a file, in whoever's name, well or badly formed."""
        found = sorted((self.root / "issues").glob("*.md"))
        if number < len(found):
            path = self.root / "positions" / found[number].name
            status = f"\n## Status: {end}\nDecided: {self.text()}\n" if end else ""
            with path.open("a") as out:
                out.write(f"\n{heading.format(signed)}\n{body.format(self.text())}\n{status}")

    @rule(turns=st.integers(1, 4), agree=st.booleans(), begins=st.booleans())
    def others_take_turns(self, turns: int, agree: bool, begins: bool) -> None:
        """With scripts of their own, one after the other, while none of ours looks; the last perhaps begins only."""
        for number in range(turns):
            who = (self.root / "turn.md").read_text().strip() if (self.root / "turn.md").exists() else ""
            if who not in self.agents:
                return
            (self.root / ".turn-started").write_text(f"{who}\n1700000000\n")
            for issue in sorted((self.root / "issues").glob("*.md")):
                path = self.root / "positions" / issue.name
                end = f"\n## Status: AGREED\nDecided: {self.text()}\n" if agree and path.exists() else ""
                with path.open("a") as out:
                    out.write(f"\n## {who}'s position (round 1)\n{self.text()}\n{end}")
            if number == turns - 1 and begins:
                return
            after = self.agents[(self.agents.index(who) + 1) % len(self.agents)]
            (self.root / "turn.md").write_text(f"{after}\n")
            (self.root / ".turn-started").unlink()

    @rule(word=st.sampled_from([*NAMES, "done", "registration", "", "nonsense"]))
    def writes_the_turn(self, word: str) -> None:
        """As the old scripts do, and as nobody should."""
        (self.root / "turn.md").write_text(word)

    @rule(number=st.integers(0, 5), how=st.sampled_from(["delete", "replace", "halve", "bytes"]))
    def spoils_a_file(self, number: int, how: str) -> None:
        """What was never recorded is gone with it; what was recorded is not."""
        found = sorted([*(self.root / "positions").glob("*.md"), *(self.root / "issues").glob("*.md")])
        if number >= len(found):
            return
        path = found[number]
        if how == "delete":
            path.unlink()
        elif how == "replace":
            path.write_text(path.read_text(errors="replace").replace("says so", "says no"))
        elif how == "halve":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        else:
            path.write_bytes(b"\xff\xfe" + path.read_bytes())

    @rule(name=st.sampled_from(["agents.md", "meta.md", "turn.md", ".turn-started"]), how=st.booleans())
    def spoils_the_frame(self, name: str, how: bool) -> None:
        """Gone, or with rubbish at its end."""
        path = self.root / name
        if how:
            path.unlink(missing_ok=True)
        else:
            with path.open("a") as out:
                out.write("\n- agent-zeta (registered: now)\n- agent-alpha (registered: now)\n")

    # -- what must hold

    @invariant()
    def log_and_rules_agree(self) -> None:
        """Folding the log gives the state; agreements have two sides; what stands, stands; entries only grow."""
        if not hasattr(self, "agents"):
            return
        us = self.us()
        state = us.read_state()
        again: Session[State, Any] = Session(DocumentProtocol(), None, us.log)
        assert again.state == state
        assert state.agents == list(self.agents)
        for stem, issue in state.issues.items():
            if issue.status is Status.AGREED and not issue.ruled:
                assert issue.authors - {issue.marked_by}, stem
            if stem in self.standing:
                assert issue.decision == self.standing[stem]
            if issue.stands:
                self.standing[stem] = issue.decision
            past = [(e.by, e.text) for e in issue.entries if e.turn < state.turn or state.phase is Phase.DONE]
            assert past[: len(self.entries.get(stem, []))] == self.entries.get(stem, [])
            self.entries[stem] = past
            for name, used in issue.rounds.items():
                reply = name in issue.replied and name != issue.last_offer_by  # one each, beyond the last round
                assert used <= state.settings.max_rounds + reply, (stem, name)
        if state.final:
            assert state.issues
            assert all(i.stands or i.status is Status.ESCALATE for i in state.issues.values())

    @invariant()
    def directory_agrees(self) -> None:
        """The turn stands in its file; nobody sits twice."""
        if not hasattr(self, "agents"):
            return
        state = self.state()
        word = (self.root / "turn.md").read_text().strip()
        assert word == (state.holder or "done")


Table.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase_.explicit, Phase_.reuse, Phase_.generate],  # a failure is said at once; shrinking takes minutes
)
TestTable = Table.TestCase
