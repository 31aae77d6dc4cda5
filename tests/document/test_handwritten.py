"""How Markdown that others wrote by hand is read: what is meant is taken, what is near is told, and no word is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from graphbus_core.cli.negotiate.text import render_negotiation, render_status
from graphbus_core.negotiation.document import rules
from graphbus_core.negotiation.document.model import Settings, Status
from graphbus_core.negotiation.document.state import Issue, IssueEntry
from graphbus_core.negotiation.document.text.headings import (
    find_heading,
    find_open_fence,
    fold_text,
    parse_outline,
    trim_text,
)
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.markdown import insert_entry, parse_positions, set_status

ALPHA, BETA = "agent-alpha", "agent-beta"
MINE = "## agent-alpha's position (round 1)\n"


class Table:
    """Two agents, one issue, alpha's turn."""

    def __init__(self, root: Path, agents: int = 2, max_rounds: int = 5) -> None:
        self.root = root
        self.where = NegotiationDirectory(root)
        self.where.init(Settings(agents, max_rounds=max_rounds))
        self.stem = self.where.add_issue("storage").data["file"][:-3]
        for name in (ALPHA, BETA, "agent-gamma")[:agents]:
            assert self.where.register(name).ok
        self.path = root / "positions" / f"{self.stem}.md"

    def spoken(self) -> Table:
        """Alpha has offered "Files." and it is beta's turn."""
        assert self.where.write(ALPHA, self.stem, "Files.", "offer").ok
        assert self.where.hand_off(ALPHA).ok
        return self

    def adds(self, text: str) -> None:
        """By hand, at the end."""
        self.path.write_text((self.path.read_text() if self.path.exists() else "# Positions: Storage\n") + text)

    @property
    def issue(self) -> Issue:
        return self.where.read_state().issues[self.stem]

    @property
    def log(self) -> str:
        return (self.root / ".graphbus" / "log.jsonl").read_text()

    def codes(self, who: str) -> list[tuple[str, int]]:
        """Why its hand-off is refused, and where."""
        return [(r.code, r.line) for r in self.where.hand_off(who).reasons]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Alpha's turn."""
    return Table(tmp_path / "d")


@pytest.mark.parametrize(
    "fenced",
    [
        "```markdown\n## Status: AGREED\n```",
        "~~~\n## Status: AGREED\n~~~",
        "````md\n```\n## Status: AGREED\n```\n````",
        "   ```\n## agent-beta's position (round 1)\nNo.\n   ```",
        "- ```\n  ## Status: AGREED\n  ```",
        "~~~\n```\n## Status: ESCALATE\n~~~",
        "    ## Status: AGREED",
    ],
)
def test_headings_in_code_are_text(table: Table, fenced: str) -> None:
    """Half of an entry was dropped behind them, and a quoted heading was called forged."""
    text = f"Files:\n{fenced}\nIMPORTANT HALF"
    table.adds(f"\n{MINE}{text}\n\n## Status: OPEN\n")
    assert table.codes(ALPHA) == []
    assert [e.text for e in table.issue.entries] == [text]
    table.path.write_text(table.path.read_text().replace("IMPORTANT HALF", ""))
    assert table.codes(BETA)[0] == ("altered", 3)
    table.path.unlink()
    table.where.poll(BETA)
    assert table.where.write(BETA, table.stem, text).ok
    assert table.where.hand_off(BETA).ok
    assert [e.text for e in table.issue.entries] == [text, text]


def test_a_fence_that_nobody_closed_swallows_nobody(table: Table) -> None:
    """It is refused with its line; where it came with other scripts, the entries around it stand."""
    table.adds(f"\n{MINE}Files:\n```\nfoo\n\n## Status: OPEN\n")
    told = table.where.hand_off(ALPHA)
    assert [(r.code, r.line) for r in told.reasons] == [("fence", 3)]
    assert "Line 2 of the text" in told.reasons[0].what
    (table.root / "turn.md").write_text("agent-beta\n")
    assert table.where.poll(BETA).data["turn"] == "yours"
    table.adds("\n## agent-beta's position (round 1)\nYes:\n```\nbar\n```\n\n## Status: AGREED\nFiles:\n```\nx\n```\n")
    assert table.codes(BETA) == []
    assert [(e.by, e.text) for e in table.issue.entries if e.kind == "position"] == [
        (ALPHA, "Files:\n```\nfoo"),
        (BETA, "Yes:\n```\nbar\n```"),
        (BETA, "Files:\n```\nx\n```"),
    ]


@pytest.mark.parametrize(
    ("body", "closed"),
    [
        ("Yes:\n```\nbar\n```", False),  # it would close the fence of the entry before, and open one itself
        ("Yes:\n```yaml\nbar\n```", False),  # it would stand in that fence
        ("No fence.", False),
        ("Yes:\n```yaml\nbar\n```", True),
    ],
)
def test_without_a_log_an_open_fence_swallows_nobody_either(body: str, closed: bool) -> None:
    """As in a directory that others opened; and with a log, where it stands above an entry that must be there."""
    fence = "```\n## Status: AGREED\n```" if closed else "```\nfoo"
    first = f"Files:\n{fence}"
    text = f"{MINE}{first}\n\n## agent-beta's position (round 1)\n{body}\n\n## Status: OPEN\n"
    sheet = parse_positions(text)
    assert [(s.by, s.text) for s in sheet.sections] == [(ALPHA, first), (BETA, body)]
    assert (sheet.status, sheet.status_line) == ("OPEN", text.count("\n"))
    recorded = IssueEntry(BETA, "position", 1, "Said.", 1)
    above = f"{MINE}Files:\n```\nfoo\n\n## agent-beta's position (round 1)\nSaid.\n```\n\n## Status: OPEN\n"
    assert [s.entry for s in parse_positions(above, [recorded], must=[0]).sections] == [-1, 0]
    assert [s.entry for s in parse_positions(above, [recorded]).sections] == [-1]


def test_an_earlier_decision_is_no_remark(tmp_path: Path) -> None:
    """Whoever reopens an issue by hand leaves it standing; the log has it."""
    table = Table(tmp_path / "d", agents=3).spoken()
    assert table.where.write(BETA, table.stem, "Files it is.", status="AGREED").ok
    assert table.where.hand_off(BETA).ok
    table.adds("\n## agent-gamma's position (round 1)\nNo.\n\n## Status: OPEN\n")
    assert table.codes("agent-gamma") == []
    assert table.where.write(ALPHA, table.stem, "Files still.").ok
    assert table.codes(ALPHA) == []
    assert (table.issue.status, table.issue.remarks) == (Status.OPEN, [])


@pytest.mark.parametrize(
    "where",
    [
        f"\n{MINE}Files.\n\n## Status: OPEN\nIMPORTANT HALF\n",
        f"\n{MINE}Files.\n\n## Status: OPEN\nIMPORTANT HALF\n\n## Status: OPEN\n",
        f"\nIMPORTANT HALF\n\n{MINE}Files.\n",
    ],
)
def test_words_that_stand_in_no_entry_are_on_record(table: Table, where: str) -> None:
    """Below OPEN, below an earlier Status, above the first entry: once, for all to read, also if the file goes."""
    table.adds(where)
    assert table.codes(ALPHA) == []
    assert table.issue.remarks == ["IMPORTANT HALF"]
    assert [e.text for e in table.issue.entries] == ["Files."]
    assert table.where.write(BETA, table.stem, "Yes.").ok
    assert table.codes(BETA) == []
    assert table.log.count("IMPORTANT HALF") == 1
    table.path.unlink()
    table.where.poll(ALPHA)
    assert table.where.read_state().issues[table.stem].remarks == ["IMPORTANT HALF"]
    assert "IMPORTANT HALF" in render_negotiation(table.where.read_state())


def test_what_an_earlier_edition_recorded_in_part_is_not_called_altered(table: Table) -> None:
    """Entries are never judged again; the part that it dropped is put on record with the next hand-off."""
    words = {"issue": table.stem, "kind": "position", "number": 1, "text": "Files:\n```markdown"}
    with table.where.hold():
        table.where.submit(ALPHA, {"move": "hand-off", "judged": True, "words": [words]})
    table.path.write_text(f"{MINE}Files:\n```markdown\n## Status: AGREED\n```\nIMPORTANT HALF\n\n## Status: OPEN\n")
    assert table.where.find_problems() == ()
    table.adds("\n## agent-beta's position (round 1)\nYes.\n")
    assert table.codes(BETA) == []
    assert [e.text for e in table.issue.entries] == ["Files:\n```markdown", "Yes."]
    assert table.issue.remarks == ["```\nIMPORTANT HALF"]


@pytest.mark.parametrize(
    "line", ["## **Status: AGREED**", "## Status: **AGREED**", " ##  status : Agreed.", "## Status: AGREED ✅"]
)
def test_a_status_that_can_only_be_meant_is_taken(table: Table, line: str) -> None:
    """In bold type, with a full stop, in small letters."""
    table.spoken().adds(f"\n{line}\nFiles.\n")
    assert table.codes(BETA) == []
    assert (table.issue.status, table.issue.decision) == (Status.AGREED, "Files.")


@pytest.mark.parametrize(
    "line", ["### Status: AGREED", "Status: AGREED", "**Status: AGREED**", "- **Status:** agreed", "## Status AGREED"]
)
def test_what_looks_like_a_status_is_refused_with_its_line(table: Table, line: str) -> None:
    """It was taken for OPEN without a word, with the decision inside the position."""
    table.spoken().adds(f"\n## agent-beta's position (round 1)\nFine.\n\n{line}\nFiles it is.\n")
    told = table.where.hand_off(BETA)
    assert [(r.code, r.line) for r in told.reasons] == [("almost", 11)]
    assert "`## Status: AGREED`" in told.reasons[0].todo
    assert table.where.recover().data["undone"] == []
    assert table.codes(BETA) == [("almost", 11)]
    table.path.write_text(table.path.read_text().replace(line, "## Status: AGREED"))
    assert table.codes(BETA) == []


def test_the_same_in_a_text_that_came_by_a_command(table: Table) -> None:
    """Its author believes that it has agreed; it says so with the command, and the words may stay."""
    table.spoken()
    assert table.where.write(BETA, table.stem, "Fine.\n\nStatus: AGREED").ok
    assert table.codes(BETA) == [("almost", 9)]
    assert table.where.write(BETA, table.stem, "Files it is.", status="AGREED").ok
    assert table.codes(BETA) == []


def test_a_status_that_is_quoted_or_holds_anyway_is_no_near_miss(table: Table) -> None:
    """What others wrote before, code, quotes, and what the file says in the right form too."""
    text = (
        "I say:\n```\nStatus: AGREED\n```\n> Status: AGREED\n`Status: AGREED`\nStatus: OPEN\nThe status: agreed by all."
    )
    table.adds(f"\n{MINE}{text}\n")
    assert table.codes(ALPHA) == []
    table.adds("\n## agent-beta's position (round 1)\n**Status: AGREED**\n\n## Status: AGREED\nFiles.\n")
    assert table.codes(BETA) == []


@pytest.mark.parametrize(
    "line",
    [
        "## **agent-beta's position (round 1)**",
        "## `agent-beta`'s position (round 1)",
        "### agent-beta's position (round 1)",
        "# agent-beta's position (round 1)",
        "   ## agent-beta's position (round 1) ##",
        "## agent-beta position (round 1)",
        "## Agent Beta's Position (Round 1)",
        "## Agent-Beta's Position (Round 1)",
        "## agent-beta’s position (round 1)",
        "## agent-beta's position (round 1):",
    ],
)
def test_a_heading_that_can_only_be_meant_is_taken(table: Table, line: str) -> None:
    """Also after an entry with no Status line behind it, which was called altered."""
    table.adds(f"\n{MINE}Files.\n")
    assert table.codes(ALPHA) == []
    table.adds(f"\n{line}\nA database.\n\n## Status: AGREED\nFiles it is.\n")
    assert table.codes(BETA) == []
    assert [(e.by, e.number, e.text) for e in table.issue.entries if e.kind == "position"] == [
        (ALPHA, 1, "Files."),
        (BETA, 1, "A database."),
        (BETA, 1, "Files it is."),
    ]


def test_what_is_said_on_the_line_of_the_heading_is_part_of_the_entry(table: Table) -> None:
    """It was dropped."""
    table.adds("\n## agent-alpha's position (round 1): use `files`\nBecause.\n")
    assert table.codes(ALPHA) == []
    assert table.issue.entries[0].text == "use `files`\nBecause."
    table.adds("\n## agent-beta's position (round 1)\nYes.\n")
    assert table.codes(BETA) == []


def test_a_part_of_ones_text_about_another_is_no_heading(table: Table) -> None:
    """Only the holder's own name makes a heading of another level the beginning of an entry."""
    text = "### agent-alpha's position\nThey say files.\n## agent-alpha position\n### agent-beta's position\nI say no."
    table.spoken()
    table.adds(f"\n## agent-beta's position (round 1)\n{text}\n")
    assert table.codes(BETA) == []
    assert table.issue.entries[1].text == text
    assert table.where.write(ALPHA, table.stem, "### agent-beta's position\nNo.").ok


def test_a_part_of_a_decision_is_no_heading(table: Table) -> None:
    """Also one about what the holder wanted."""
    decision = "Both:\n### agent-beta's position\nFiles.\n### agent-alpha's position\nFiles, too."
    table.spoken().adds(f"\n## Status: AGREED\n{decision}\n")
    assert table.codes(BETA) == []
    assert [e.text for e in table.issue.entries if e.offer and e.by == BETA] == [decision]
    assert table.where.write(ALPHA, table.stem, "", accept="").ok
    assert table.codes(ALPHA) == []
    assert table.issue.decision == decision


@pytest.mark.parametrize(
    "line", ["## Position of agent-alpha (round 1)", "### My position", "**agent-alpha's position**"]
)
def test_a_near_miss_of_a_heading_is_told_with_its_line(table: Table, line: str) -> None:
    """`You wrote nothing` helped nobody."""
    table.adds(f"\n{line}\nFiles.\n")
    told = table.where.hand_off(ALPHA)
    assert [(r.code, r.line) for r in told.reasons] == [("owed", 3)]
    assert "line 3 looks like your heading" in told.reasons[0].what
    assert "`## agent-alpha's position (round 1)`" in told.reasons[0].todo


def test_words_below_anothers_entry_do_not_make_it_altered(table: Table) -> None:
    """It stands there; the words have their own line, and nobody is blamed."""
    table.adds(f"\n{MINE}Files.\n")
    assert table.codes(ALPHA) == []
    table.adds("\nMy answer: a database.\n\n## Status: AGREED\nA database.\n")
    assert table.codes(BETA) == [("added", 6)]
    table.path.write_text(table.path.read_text().replace("My answer", "## agent-beta's position (round 1)\nMy answer"))
    assert table.codes(BETA) == []


@pytest.mark.parametrize("line", ["---", "***", " _ _ _"])
def test_a_rule_between_entries_is_no_text(table: Table, line: str) -> None:
    """Whoever put it there, before or after the entry was recorded."""
    table.adds(f"\n{MINE}Files.\n\n{line}\n\n## Status: OPEN\n")
    assert table.codes(ALPHA) == []
    assert table.issue.entries[0].text == "Files."
    table.path.write_text(table.path.read_text().replace(line, f"{line}\n{line}"))
    table.adds(
        f"\n{line}\n\n## agent-beta's position (round 1)\nYes.\n\n{line}\n\n## Status: AGREED\nFiles.\n\n{line}\n"
    )
    assert table.codes(BETA) == []
    assert [e.text for e in table.issue.entries if e.offer] == ["Files."]
    assert table.where.find_problems() == ()


def test_escalate_needs_a_summary_and_agreed_a_decision(tmp_path: Path) -> None:
    """A rule or a comment is none. What came with other scripts stays: nobody is stopped by it."""
    table = Table(tmp_path / "d", max_rounds=1)
    assert table.where.write(ALPHA, table.stem, "Files.", "offer").ok
    assert table.where.hand_off(ALPHA).ok
    for mark, text in (("ESCALATE", ""), ("ESCALATE", "<!-- x -->"), ("AGREED", "---"), ("AGREED", "<!-- x -->")):
        assert not table.where.write(BETA, table.stem, text, status=mark).ok
    table.adds("\n## agent-beta's position (round 1)\nNo.\n\n## Status: ESCALATE\n")
    assert table.codes(BETA)[0] == ("summary", 11)
    (table.root / "turn.md").write_text("agent-alpha\n")
    assert table.where.poll(ALPHA).data["turn"] == "yours"
    assert table.issue.status == "ESCALATE"


def test_an_empty_form_is_not_handed_off(table: Table) -> None:
    """The filer words it, or says what it wants; other scripts' turns go on, and status says it."""
    assert table.where.write(ALPHA, table.stem, "Files.").ok
    stems = [table.where.add_issue("why not").data["file"][:-3] for _ in range(2)]
    form = "# Issue: [TODO: Short Title]\n\n## Question\n[TODO: What?]\n"
    (table.root / "issues" / "09-by-hand.md").write_text(form)
    told = table.where.hand_off(ALPHA)
    assert [(r.code, r.file) for r in told.reasons] == [
        ("blank", f"issues/{stem}.md") for stem in (*stems, "09-by-hand")
    ]
    assert table.where.write(ALPHA, stems[0], "I want it.").ok
    (table.root / "issues" / f"{stems[1]}.md").write_text("# Issue: Why\n\n## Question\nWhy not?\n")
    assert [r.code for r in table.where.hand_off(ALPHA).reasons] == ["blank"]
    (table.root / "turn.md").write_text("agent-beta\n")
    assert table.where.poll(BETA).data["turn"] == "yours"
    assert "(still an empty form)" in render_status(table.where.read_state())


# -- what is written reads back

LINES = st.sampled_from(
    [
        "Files.",
        "",
        "```",
        "```yaml",
        "````",
        "~~~",
        "   ```",
        "- ```",
        "  ```",
        "---",
        "## Status: AGREED",
        "### Status: OPEN",
        "## agent-alpha's position (round 1)",
        "### agent-beta's position (round 1)",
        "## agent-beta's challenge: no",
        "    ## Status: OPEN",
        "  ## Status: OPEN",
        "# Title",
        "x\r## Status: AGREED",
        "trailing \t",
        "## Context",
    ]
)
TEXTS = st.lists(LINES, min_size=1, max_size=7).map("\n".join)


def accepted(text: str, author: str) -> bool:
    """As `position` asks it."""
    return bool(trim_text(text).strip()) and not find_heading(text, author) and not find_open_fence(text)


@pytest.mark.no_cover
@given(st.lists(st.tuples(st.sampled_from([ALPHA, BETA]), TEXTS), min_size=1, max_size=4), TEXTS)
@example([(ALPHA, "```\n## Status: AGREED\n```"), (BETA, "```yaml\nx\n```")], "Files.")
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_text_that_is_accepted_reads_back_from_the_file(said: list[tuple[str, str]], decision: str) -> None:
    """With others' entries around it, with the log and without."""
    said = [(who, text) for who, text in said if accepted(text, who)]
    issue = Issue("01-x", "X", "?", "", 0)
    content: str | None = None
    for number, (who, text) in enumerate(said):
        entry = IssueEntry(who, "position", number, text, number)
        issue.entries.append(entry)
        content = insert_entry(content, issue, entry)
    if accepted(decision, "") and said:
        content = set_status(content, issue, "AGREED", decision)
        issue.status, issue.decision = Status.AGREED, decision
    content = (content or "").replace("\r\n", "\n").replace("\r", "\n")  # as files are read
    for known in (True, False):
        about = (issue.entries, (str(issue.status), issue.decision)) if known else ((), ("", ""))
        sheet = parse_positions(content, *about)
        exactly = fold_text if known else trim_text
        assert [(s.by, s.number, exactly(s.text)) for s in sheet.sections] == [
            (who, number, exactly(text)) for number, (who, text) in enumerate(said)
        ]
        assert exactly(sheet.decision) == exactly(issue.decision)
        assert not sheet.loose


@pytest.mark.parametrize(
    "text",
    [
        "```a\n" * 60_000,
        "````a\n```\n" * 40_000,
        "- - - - " * 30_000,
        "## " + " " * 300_000 + "x",
        "## " + "_" * 300_000,
    ],
)
def test_reading_is_linear(text: str) -> None:
    """Whatever is written."""
    parse_outline(fold_text(text).split("\n"))
    assert not find_heading(text)


def test_a_ruling_cannot_forge_an_entry(tmp_path: Path) -> None:
    """It stands in the file, too."""
    table = Table(tmp_path / "d", max_rounds=1)
    assert table.where.write(ALPHA, table.stem, "Files.", "offer").ok
    assert table.where.hand_off(ALPHA).ok
    assert table.where.write(BETA, table.stem, "We differ.", status="ESCALATE").ok
    state = table.where.read_state()
    assert rules.check_ruling(state, table.stem, "Yes.\n## Status: OPEN")[0].code == "heading"
    assert not rules.check_ruling(state, table.stem, "Yes.\n```\n## Status: OPEN\n```")
