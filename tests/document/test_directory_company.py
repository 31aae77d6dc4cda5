"""At one table with agents that use other scripts: they write turn.md themselves, and more than once while we sleep."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import directory_scripts as company
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory

ALPHA, BETA, GAMMA = "agent-alpha", "agent-beta", "agent-gamma"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A path with a space and letters of other scripts."""
    return tmp_path / "ein Plan 計画"


def begun(root: Path, agents: int = 3) -> tuple[NegotiationDirectory, Path]:
    """One issue, all registered, the first agent's turn; the file of the positions."""
    where = NegotiationDirectory(root)
    where.init(Settings(agents))
    stem = where.add_issue("storage").data["file"]
    for name in (ALPHA, BETA, GAMMA)[:agents]:
        assert where.register(name).ok
    return where, root / "positions" / stem


def says(path: Path, who: str, text: str, end: str = "") -> None:
    """An entry at the end, by hand."""
    with path.open("a") as out:
        out.write(f"\n## {who}'s position (round 1)\n{text}\n{end}")


def passes(root: Path, to: str) -> None:
    """As their hand-off does it."""
    (root / "turn.md").write_text(f"{to}\n")
    (root / ".turn-started").unlink(missing_ok=True)


def polls(root: Path, who: str) -> None:
    """As their poll does it in its turn."""
    (root / ".turn-started").write_text(f"{who}\n1700000000\n")


def heard(where: NegotiationDirectory) -> list[tuple[str, str, int]]:
    """Who said what in which turn."""
    return [(e.by, e.text, e.turn) for issue in where.read_state().issues.values() for e in issue.entries]


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "table",
    [
        "peer ours",
        # Two agents that leave on `done` may finish before ours has looked: then they are not waited for.
        "ours peer peer",
    ],
)
def test_agents_that_follow_the_skill_with_scripts_of_their_own(table: str, root: Path, tmp_path: Path) -> None:
    """To one document, with every word of everybody in the log; ours killed and started again."""
    folders = {"peer": company.plain(tmp_path / "peer scripts"), "ours": company.OURS}
    held = company.negotiate(root, [folders[word] for word in table.split()], kills=2, patience_s=120)
    assert not held.violations


def test_whoever_was_given_the_turn_may_have_begun(root: Path) -> None:
    """Before we look it has written already: that is its own work, and no entry in another's name."""
    where, path = begun(root)
    says(path, ALPHA, "Files.")
    passes(root, BETA)
    polls(root, BETA)
    says(path, BETA, "A database.", "\n## Status: AGREED\nA database it is.\n")
    assert where.poll(GAMMA).data["holder"] == BETA
    assert heard(where) == [(ALPHA, "Files.", 1)]
    assert "A database." in path.read_text()
    assert not where.read_state().notices
    assert where.hand_off(BETA).ok
    issue = where.read_state().issues[path.stem]
    assert (issue.status, [e.text for e in issue.entries if e.offer]) == ("OPEN", ["A database it is."])


def test_several_turns_may_pass_while_we_sleep(root: Path) -> None:
    """Each is recorded as its own, in order."""
    where, path = begun(root)
    says(path, ALPHA, "Files.")
    passes(root, BETA)
    says(path, BETA, "A database.")
    passes(root, GAMMA)
    assert where.poll(GAMMA).data["turn"] == "yours"
    assert heard(where) == [(ALPHA, "Files.", 1), (BETA, "A database.", 2)]
    assert not where.read_state().notices


def test_they_may_come_to_the_end_while_we_sleep(root: Path) -> None:
    """One agrees and finishes; the rules are asked for both, and its document waits for the other's word."""
    where, path = begun(root, agents=2)
    assert where.write(ALPHA, "1", "Files it is.", "offer").ok
    assert where.hand_off(ALPHA).ok
    polls(root, BETA)
    says(path, BETA, "Files then.", "\n## Status: AGREED\nFiles it is.\n")
    (root / "final.md").write_text("Files it is.\n")
    (root / "turn.md").write_text("done\n")
    assert where.poll(ALPHA).data["turn"] == "yours"
    assert list(where.read_state().signed) == [BETA]
    assert where.finish().ok
    assert where.read_state().final == "Files it is.\n"


def test_whoever_left_on_a_finish_that_outran_us_is_not_waited_for(root: Path) -> None:
    """Beta agrees, gamma finishes, both read `done` and leave, before alpha has looked."""
    clock = [1000.0]
    where = NegotiationDirectory(root, monotonic=lambda: clock[0])
    where.init(Settings(3))
    stem = where.add_issue("storage").data["file"]
    for name in (ALPHA, BETA, GAMMA):
        assert where.register(name).ok
    path = root / "positions" / stem
    assert where.write(ALPHA, "1", "A database.").ok
    assert where.hand_off(ALPHA).ok
    polls(root, BETA)
    says(path, BETA, "Files for 30 days.")
    passes(root, GAMMA)
    says(path, GAMMA, "I agree.", "\n## Status: AGREED\nFiles for 30 days.\n")
    passes(root, ALPHA)
    assert where.poll(ALPHA).data["turn"] == "yours"
    assert where.write(ALPHA, "1", "Files for 90 days.", "offer").ok
    assert where.hand_off(ALPHA).ok
    polls(root, BETA)
    says(path, BETA, "No: 30.", "\n## Status: AGREED\nFiles for 30 days.\n")
    passes(root, GAMMA)
    polls(root, GAMMA)
    says(path, GAMMA, "Yes: 30.", "\n## Status: AGREED\nFiles for 30 days.\n")
    (root / "final.md").write_text("# Plan\n\nFiles for 30 days.\n")
    (root / "turn.md").write_text("done\n")
    assert where.poll(ALPHA).data["turn"] == "yours"
    issue = where.read_state().issues[path.stem]
    assert [n.what[:14] for n in where.read_state().notices] == ["it said done, "]  # and nobody removed a word
    assert (issue.is_open, sorted(issue.accepted), where.read_state().recalled) == (True, [], 6)
    assert where.write(ALPHA, "1", "", accept="").ok
    assert where.hand_off(ALPHA).ok
    for who, seconds in ((BETA, 50), (BETA, 20), (GAMMA, 50), (GAMMA, 20)):
        assert where.poll(ALPHA).data["holder"] == who
        assert who not in (root / ".turn-started").read_text()  # its own poll would write that
        clock[0] += seconds
    assert where.poll(ALPHA).data["turn"] == "yours"
    assert where.read_state().issues[path.stem].decision == "Files for 30 days."  # beta had left, and is not waited for
    assert where.finish().code == "waits"  # all others left: nobody's silence is a yes


def test_whoever_polls_after_a_done_that_was_put_back_has_its_whole_turn(root: Path) -> None:
    """A poll of theirs begins the turn, and then it may think as long as anybody."""
    clock = [1000.0]
    where = NegotiationDirectory(root, monotonic=lambda: clock[0])
    where.init(Settings(2))
    stem = where.add_issue("storage").data["file"]
    for name in (ALPHA, BETA):
        assert where.register(name).ok
    assert where.write(ALPHA, "1", "A database.").ok
    assert where.hand_off(ALPHA).ok
    polls(root, BETA)
    says(root / "positions" / stem, BETA, "Files.", "\n## Status: AGREED\nFiles.\n")
    (root / "turn.md").write_text("done\n")
    assert where.poll(ALPHA).data["turn"] == "yours"
    assert where.write(ALPHA, "1", "No, a database.").ok
    assert where.hand_off(ALPHA).ok
    clock[0] += 50
    where.poll(ALPHA)
    polls(root, BETA)
    for seconds in (1, 500):
        clock[0] += seconds
        assert where.poll(ALPHA).data["holder"] == BETA
    clock[0] += 200
    assert where.poll(ALPHA).data["holder"] == ALPHA


def test_nobody_is_passed_over_by_a_word_alone(root: Path) -> None:
    """Who has not written did not have the turn; nor has, without a hand-off, who hands over through us."""
    where, path = begun(root)
    says(path, ALPHA, "Files.")
    passes(root, GAMMA)
    assert where.poll(GAMMA).data["holder"] == ALPHA
    assert "the turn is agent-alpha's" in where.read_state().notices[0].what
    for name in (ALPHA, BETA, GAMMA):
        if name != ALPHA:
            where.write(name, "1", f"{name} speaks.")
        assert where.hand_off(name).ok
    where.write(ALPHA, "1", "Once more.")
    says(path, BETA, "I give in.")  # says somebody else
    passes(root, GAMMA)
    assert where.poll(GAMMA).data["holder"] == ALPHA
    assert (BETA, "I give in.") not in [said[:2] for said in heard(where)]


def test_an_entry_in_the_name_of_the_next_is_put_aside(root: Path) -> None:
    """If the next has not begun its turn, somebody else wrote it."""
    where, path = begun(root, agents=2)
    says(path, ALPHA, "Files.")
    says(path, BETA, "I agree with everything.")
    (root / "turn.md").write_text(f"{BETA}\n")
    assert where.poll(BETA).data["turn"] == "yours"
    assert heard(where) == [(ALPHA, "Files.", 1)]
    assert "in the name of agent-beta" in where.read_state().notices[0].what


def test_analyses_go_round_for_those_who_poll(root: Path) -> None:
    """turn.md names who owes its analysis, as the later edition's scripts want it; ours may come in any order."""
    where = NegotiationDirectory(root)
    where.init(Settings(3, rigorous=True))
    for name in (ALPHA, BETA, GAMMA):
        where.register(name)
    assert [where.poll(name).data["turn"] for name in (ALPHA, BETA, GAMMA)] == ["yours"] * 3
    assert "analysis-done" in str(where.hand_off(BETA).reasons[0])
    for name, after in ((BETA, ALPHA), (ALPHA, GAMMA)):
        (root / "analysis" / f"{name}.md").write_text("They differ.\n")
        assert where.mark_analysis_done(name).data["turn"] == "wait"
        assert (root / "turn.md").read_text() == f"{after}\n"
    (root / "issues-draft" / GAMMA).mkdir()
    (root / "issues-draft" / GAMMA / "01-store.md").write_text("# Issue: Store\n\n## Question\nWhich?\n")
    (root / "analysis" / f".{GAMMA}-done").touch()
    passes(root, ALPHA)  # as their end-analysis does
    assert where.poll(ALPHA).data["turn"] == "yours"
    state = where.read_state()
    assert (list(state.issues), state.notices) == (["01-store"], [])


def test_one_session_is_one_participant_whichever_scripts_it_uses(root: Path) -> None:
    """The later edition's scripts say where an identity comes from; ours may leave that out."""
    where = NegotiationDirectory(root)
    where.init(Settings(3))
    assert where.register(ALPHA, "manual:team").ok
    assert where.register(BETA, "team").code == "seated"
    assert where.register(BETA, "manual:team1").ok
    assert where.register(GAMMA, "codex:team").ok
