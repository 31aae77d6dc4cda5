"""What becomes of every statement of every source, and which of them are marked as contradicting (issue 33)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from graphbus_core.negotiation.document.fates import judge_fates, render_conflicts, render_fates
from graphbus_core.negotiation.document.final_document import compose_document, find_altered_decisions
from graphbus_core.negotiation.document.model import Settings, Status
from graphbus_core.negotiation.document.state import Issue, State
from graphbus_core.negotiation.document.text.statements import split_statements
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory

ALPHA, BETA = "agent-alpha", "agent-beta"


def table(decision: str = "", **sources: str) -> State:
    """A table with these sources, and one agreed issue."""
    state = State(sources=sources)
    if decision:
        state.issues["01-x"] = Issue("01-x", "X", "", "", 0, Status.AGREED, decision)
    return state


def fates_of(state: State) -> dict[str, str]:
    """Each place with its fate."""
    return {fate.statement.place: f"{fate.kind} {fate.issue}".strip() for fate in judge_fates(state).rows}


def test_every_sentence_item_row_and_piece_of_code_is_a_statement() -> None:
    """And a line that only begins like a heading; comments and what is struck out are not said."""
    text = "# A\nOne. Two.\n\n- three\n\n| a | b |\n|---|---|\n| 4 | 5 |\n\n```\nsix\n```\n#seven\n<!-- 8 -->~~9~~\n"
    found = [(s.place, s.text) for s in split_statements("p", text)]
    assert found == [
        ("p:2", "One."),
        ("p:2.2", "Two."),
        ("p:4", "three"),
        ("p:6", "a | b"),
        ("p:8", "4 | 5"),
        ("p:10", "```\nsix\n```"),
        ("p:13", "#seven"),
    ]


def test_a_row_of_a_table_is_one_statement() -> None:
    """Also where a cell ends with a stop."""
    rows = "| Shift | Begins | Bakers |\n|---|---|---|\n| Early | 6 a.m. | 5 |\n| Late | 2 p.m. Sharp. | 3 |\n"
    assert [s.text for s in split_statements("p", rows)][1:] == ["Early | 6 a.m. | 5", "Late | 2 p.m. Sharp. | 3"]


def test_what_nobody_decided_is_kept_whatever_was_discussed() -> None:
    """Half the words of an issue were once enough to lose a statement."""
    state = table(a="Backups are kept in Oslo.\n", b="The office closes at noon.\n")
    state.issues["01-x"] = Issue("01-x", "Where backups are kept", "Backups are kept in which town?", "", 0)
    assert set(fates_of(state).values()) == {"kept"}
    assert "Backups are kept in Oslo." in compose_document(state)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Backups are kept 90 days.", "We keep backups for thirty days.", "number"),
        ("Access logs are kept for 6 months.", "We keep access logs for 6 weeks.", "unit"),
        ("The freight to Tarragona is paid by the Supplier.", "Freight to Tarragona is paid by the Buyer.", "name"),
        ("Logs are encrypted on the disk.", "Logs are not encrypted on the disk.", "negation"),
        ("The kiln cools before the glaze is mixed.", "First the glaze is mixed, then the kiln cools.", "order"),
        ("Skippers must wear a vest at sea.", "At sea a vest may be worn by skippers.", "modal"),
        ("Parcels are weighed at night by the porter.", "At night the clerk weighs all parcels.", "owner"),
        ("Laptops stay closed during the meeting.", "Laptops stay open during the meeting.", "word"),
    ],
)
def test_a_contradiction_is_marked_on_both_sides(first: str, second: str, kind: str) -> None:
    """Both stand in the document, marked, until somebody decides."""
    state = table(a=f"{first}\nThe gate is green.\n", b=f"Nobody sings here.\n{second}\n")
    fates = judge_fates(state)
    assert [(c.first.text, c.second.text, c.kind) for c in fates.conflicts] == [(first, second, kind)]
    final = compose_document(state, fates)
    assert "may contradict each other" in final
    assert (first in final, second in final) == (True, True)
    assert f"({kind})" in render_fates(fates)
    assert kind in "\n".join(render_conflicts(fates))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Backups are kept 90 days.", "We keep backups for ninety days."),
        ("The oven starts at 05:00.", "At five the oven starts."),
        ("The budget is 1,900 kroner.", "The budget amounts to 1900 kroner."),
        ("The lease of the barn runs 24 months.", "The lease of the barn runs two years."),
        ("At most 20 % of the cork is reused.", "Of the cork twenty percent are reused at most."),
        ("The glaze is mixed once the kiln has cooled.", "First the kiln has cooled, then the glaze is mixed."),
        ("Pumps are checked by the porter.", "The porter checks the pumps."),
    ],
)
def test_what_agrees_in_another_form_is_none(first: str, second: str) -> None:
    """Whoever agrees is not marked."""
    assert judge_fates(table(a=first, b=second)).conflicts == ()


def test_a_claim_that_has_found_its_like_is_not_compared_with_others() -> None:
    """One row and one sentence each: the other row and the other sentence only sound like it."""
    rows = "| Boat | Hour |\n| --- | --- |\n| Canoe | 12 euros |\n| Rowing boat | 14 euros |\n"
    fates = judge_fates(table(a=rows, b="A canoe costs 12 euros an hour. A rowing boat costs 15 euros an hour.\n"))
    assert [(c.first.place, c.second.place, c.kind) for c in fates.conflicts] == [("a:4", "b:1.2", "number")]
    assert "- a:3: **kept, beside b:1**" in render_fates(fates)


def test_a_sentence_is_held_against_the_whole_row() -> None:
    """It found the cell whose words it has; another cell has the number that it changes."""
    rows = "| Dough | Rest | Where |\n| --- | --- | --- |\n| Shortcrust | 30 minutes | in the fridge |\n"
    fates = judge_fates(table(a=rows, b="Let shortcrust rest in the fridge for two hours.\n"))
    assert [(c.first.place, c.second.place, c.kind) for c in fates.conflicts] == [("a:3", "b:1", "number")]


def test_a_denial_without_not_is_the_least_sure() -> None:
    """It may say the same as a verb of the other side; so it is told last."""
    state = table(
        a="Photographs are forbidden.\nWe lock the gate at six.", b="No photographs.\nWe lock the gate at ten."
    )
    assert [c.kind for c in judge_fates(state).conflicts] == ["number", "denial"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The gate shuts at half past four.", "At 16:30 the gate shuts."),
        ("The gate shuts at a quarter to eight.", "At 07:45 the gate shuts."),
        ("Twenty-six chairs stand in the hall.", "In the hall stand 26 chairs."),
        ("The hall opens on the sixteenth of March.", "On 16 March the hall opens."),
        ("The fee of the hall is €1,900.", "The hall has a fee of EUR 1900."),
        ("The tap gives 500 ml.", "The tap gives half a litre."),
        ("The gate opens at 8:10.", "At ten past eight the gate opens."),
        ("The limit of the pass is 4.5 hours.", "The pass has a limit of four and a half hours."),
        ("A batch takes 1,000 parcels.", "A thousand parcels go in a batch."),
        ("The oven has 65 °C.", "The oven has sixty-five degrees Celsius."),
    ],
)
def test_a_quantity_is_read_in_any_form(first: str, second: str) -> None:
    """Words, clocks, ordinals, fractions, currencies, short forms of units."""
    assert judge_fates(table(a=first, b=second)).conflicts == ()


def test_a_decision_stands_beside_what_it_decides() -> None:
    """By a quotation, by the name of a place, or by another number on its subject."""
    state = table("Keep backups 30 days. It decides b:1, too.", a="Backups are kept 90 days.\n", b="Tapes are fine.\n")
    assert fates_of(state) == {"a:1": "decided 01-x", "b:1": "decided 01-x"}
    assert compose_document(state) == "# What was agreed\n\nKeep backups 30 days. It decides b:1, too.\n"


def test_a_statement_is_dropped_by_one_line_that_both_accepted() -> None:
    """And by nothing else; the place is the whole place."""
    state = table("We need no tapes.\nDROPS a:1", a="Tapes are fine.\nThe gate is green.\n")
    state.sources["a"] += "\n" * 8 + "Late.\n"
    assert fates_of(state) == {"a:1": "dropped 01-x", "a:1.2": "kept", "a:11": "kept"}
    assert "Tapes are fine." not in compose_document(state)


def test_nothing_is_lost_however_long_the_sources_are() -> None:
    """Of 1,200 statements 500 were once the last."""
    state = table(a="\n\n".join(f"Rule {n} holds." for n in range(1200)))
    final = compose_document(state)
    assert all(f"\n\nRule {n} holds.\n" in final for n in range(1200))
    assert judge_fates(state, final).left_out == []
    left_out = judge_fates(state, final.replace("Rule 7 holds.", "")).left_out
    assert [fate.statement.text for fate in left_out] == ["Rule 7 holds."]


def test_the_table_stands_in_the_directory_and_is_told_once(tmp_path: Path) -> None:
    """fates.md from the first turn on; whoever reads along without the seat's token takes none of its news."""
    where = NegotiationDirectory(tmp_path / "d")
    where.init(Settings())
    (where.root / "sources" / "a.md").write_text("Backups are kept 90 days.\n")
    (where.root / "sources" / "b.md").write_text("Backups are kept 30 days.\n")
    where.add_issue("backups")
    where.register(ALPHA, token="secret")
    where.register(BETA)
    assert "a:1: **in conflict with b:1 (number)**" in (where.root / "fates.md").read_text()
    assert "may contradict each other" in turn_api.deliver_brief(where, ALPHA)
    assert "may contradict each other" in turn_api.deliver_brief(where, ALPHA)
    where.token = "secret"
    assert "may contradict each other" in turn_api.deliver_brief(where, ALPHA)
    assert "may contradict each other" not in turn_api.deliver_brief(where, ALPHA)


RULES = """# Rules of the house

- We meet on Monday at nine.
- Notes are kept.

## Food

1. Soup is served.
2. Bread is free.
"""
OTHERS = """# What we want

* We meet on Tuesday at nine.
* ~~Nobody sings.~~ Doors stay shut.

## Food

1. Bread is free.
2. Tea is free.

## Rooms

| Room | Seats |
|---|---|
| East | 12 |
"""


def test_the_document_is_one_text_in_the_order_of_its_sources() -> None:
    """Headings stand once, the decision where it was undecided, no word about who said what, nothing struck out."""
    state = table("We meet on Monday at ten.", a=RULES, b=OTHERS)
    state.topic = "# Topic\n\nTeam meeting\n"
    assert (
        compose_document(state)
        == """# Team meeting

- We meet on Monday at ten.
- Notes are kept.
* Doors stay shut.

## Food

1. Soup is served.
2. Bread is free.
3. Tea is free.

## Rooms

| Room | Seats |
|---|---|
| East | 12 |
"""
    )


def test_what_is_undecided_stands_together_where_the_first_of_it_stood() -> None:
    """Both are to be read by whoever accepts the document."""
    state = table(a="- Bring a pen.\n- The gate shuts at six.\n- Be kind.\n", b="The gate shuts at ten.\n")
    assert compose_document(state) == (
        "# What was agreed\n\n- Bring a pen.\n\nNot decided; these may contradict each other:\n\n"
        "- The gate shuts at six.\n- The gate shuts at ten.\n\n- Be kind.\n"
    )


def test_a_decision_on_nothing_in_the_sources_has_its_title_where_that_says_more() -> None:
    """A title that is only the beginning of its words is not a heading."""
    for title, expected in (("Who rings", "## Who rings\n\nAnn rings the bell."), ("Ann rings the", "\n\nAnn rings")):
        state = table("Ann rings the bell.", a="Hall\n====\n\n# One\n\nPumps hum.\n\n# Two\n\nWheels turn.\n")
        state.issues["01-x"].title = title
        final = compose_document(state)
        assert (expected in final, f"## {title}" in final) == (True, title == "Who rings")
        assert judge_fates(state, final).left_out == []


PIECES = st.sampled_from(
    [
        *("# A", "## B", "### C", "- one. Two", "  - deep", "1. first", "2) b", "| a | b |", "|---|---|", "", ""),
        *("---", "===", "plain.", "x. Y. z", "~~gone~~ here", "<!-- c -->", "```", "We meet at 6.", "We meet at 7."),
        *("> quoted", "- [ ] do it", "    code", "> - q. R", "> > deep", "  > in", "> # H", "> ```", ">"),
    ]
)


@given(a=st.lists(PIECES, max_size=14), b=st.lists(PIECES, max_size=14))
@example(a=["- one. Two", "> quoted"], b=["> quoted", "> quoted"])
@example(a=["```", "We meet at 6."], b=["```", "We meet at 7."])
def test_no_statement_of_any_text_is_lost(a: list[str], b: list[str]) -> None:
    """Whatever forms a text mixes; a decision stands in it word for word."""
    state = table("We meet at 8, then we eat.", a="\n".join(a), b="\n".join(b))
    final = compose_document(state)
    assert judge_fates(state, final).left_out == []
    assert find_altered_decisions(state.issues.values(), final) == []


TITLED = {"a": "# Storage, as Ann sees it\n\nBackups stay.\n", "b": "# Storage, as Ben sees it\n\nThe office closes.\n"}


def test_the_title_of_one_text_is_not_the_title_of_all() -> None:
    """Two titles are in conflict like two statements; an issue on them decides, and its words are the title then."""
    state = table(**TITLED)
    state.topic = "# Topic\n\nStorage, as Ann sees it\n"
    assert fates_of(state) == {"a:1": "in conflict", "a:3": "kept", "b:1": "in conflict", "b:3": "kept"}
    assert judge_fates(state).conflicts[0].kind == "title"
    assert compose_document(state).startswith("# What was agreed\n\nBackups stay.")
    state.issues["01-x"] = Issue("01-x", "X", "a:1 against b:1", "", 0, Status.AGREED, "How we store")
    assert fates_of(state)["b:1"] == "decided 01-x"
    assert compose_document(state) == "# How we store\n\nBackups stay.\n\nThe office closes.\n"
    quoted = "How we store\n\nIn place of:\n\n- Storage, as Ann sees it\n- Storage, as Ben sees it"
    state.issues["01-x"] = Issue("01-x", "X", quoted, "", 0, Status.AGREED, "How we store")
    assert compose_document(state) == "# How we store\n\nBackups stay.\n\nThe office closes.\n"
    state.issues["01-x"] = Issue("01-x", "X", "", "", 0, Status.AGREED, "DROPS a:1")
    assert compose_document(state).startswith("# Storage, as Ben sees it\n")


def test_a_topic_of_its_own_takes_the_place_of_every_title() -> None:
    """Who sat down to it agreed on it; and what all are headed with contradicts nobody."""
    state = table(**TITLED)
    state.topic = "# Topic\n\nOne plan\n"
    assert set(fates_of(state)) == {"a:3", "b:3"}
    assert compose_document(state).startswith("# One plan\n")
    alike = table(a="# Plan\n\nOne.\n", b="# Plan\n\nTwo.\n")
    alike.topic = "Plan"
    assert set(fates_of(alike)) == {"a:3", "b:3"}
