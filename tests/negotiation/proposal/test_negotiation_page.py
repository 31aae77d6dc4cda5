"""The page says what the rules are: its diagrams are drawn from the tables, its script can be read."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.negotiation.proposal.transitions import PHASES, STAGES, draw_diagram
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome
from graphbus_core.participants.scripted.script import read_script

PAGE = Path(__file__).parents[3] / "docs" / "negotiation.md"


def test_the_diagrams_are_those_of_the_tables():
    """`python -m graphbus_core.negotiation.proposal.transitions` prints them."""
    text = PAGE.read_text()
    for table in (PHASES, STAGES):
        assert f"```mermaid\n{draw_diagram(table)}\n```" in text


def test_every_outcome_is_a_stage_that_ends():
    """Nothing leads out of it; but DEFERRED may be taken up again, and what lost a conflict may be heard again."""
    starts = {start.value for start, _ in STAGES}
    assert {o.value for o in ProposalOutcome if o.value in starts} == {"deferred", "rejected"}


def test_the_script_on_the_page_can_be_read(tmp_path):
    """Examples run."""
    text = PAGE.read_text()
    block = text[text.index("    default:\n") : text.index("\nAn entry may say")]
    (tmp_path / "s.yaml").write_text("\n".join(line[4:] for line in block.splitlines()))
    assert list(read_script(tmp_path / "s.yaml").agents) == ["CleanerService"]
