"""What a proposer sees beside its own card, and that it may propose what nobody could be shown."""

from __future__ import annotations

import pytest

from graphbus_core.negotiation.proposal import project_view
from tests.negotiation.paper import add, negotiate, pipeline, proposals, propose, script

AGENTS, LINKS = pipeline()
NEW = {"op": "add_agent", "node": "Journal", "path": "agents/journal.py", "source": "class Journal(GraphBusNode): ..."}
METHOD = {"op": "add_method", "node": "B", "source": "def reset(self):\n    return None"}


def test_with_an_intent_the_bodies_around_are_shown() -> None:
    """A field that travels takes a change in each body on its way; nobody can write one that he does not see."""
    ran = negotiate(AGENTS, LINKS, script({}), intent="carry the source")
    (first,) = [ask for ask in ran.seats["C"].asked if ask.kind == "propose" and ask.about["round"] == 1]
    assert [one["name"] for one in first.about["sources"]] == ["A", "B"]
    assert all("def " in one["source"] for one in first.about["sources"])
    assert sum(len(one["source"]) for one in first.about["sources"]) <= project_view.SOURCES_MAX


def test_without_an_intent_nobody_pays_for_the_code_of_others() -> None:
    """A round costs what its links cost (design §6.11)."""
    ran = negotiate(AGENTS, LINKS, script({}))
    assert all("sources" not in ask.about for seat in ran.seats.values() for ask in seat.asked)


def test_a_whole_source_is_shown_or_none_of_it(monkeypatch) -> None:
    """Half a body is worse than none: whoever replaces it would lose the other half."""
    longest = max(len(a.source_code) for a in AGENTS)
    monkeypatch.setattr(project_view, "SOURCES_MAX", longest)
    ran = negotiate(AGENTS, LINKS, script({}), intent="carry the source")
    texts = {a.source_code for a in AGENTS}
    shown = [one["source"] for one in ran.seats["C"].asked[0].about["sources"]]
    assert len(shown) == 1
    assert set(shown) <= texts


def test_a_new_node_may_be_proposed_though_nobody_was_shown_it() -> None:
    """It was refused as "not shown": no model could ever have added one."""
    ran = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(NEW))}))
    assert not ran.of("answer_refused")
    assert ran.of("proposal_tabled")[0].proposal["diff"][0]["node"] == "Journal"


def test_a_whole_method_names_itself() -> None:
    """Its source says which method it is; asking for the name again would cost a call."""
    ran = negotiate(AGENTS, LINKS, script({"B.propose": proposals(propose(METHOD))}))
    assert not ran.of("answer_refused")
    assert ran.of("proposal_tabled")[0].proposal["diff"][0]["method"] == "reset"


@pytest.mark.parametrize(("given", "read"), [("", "''"), ("en", "'en'"), ("'en'", "'en'"), ("None", "None")])
def test_the_default_of_a_text_may_come_without_its_quotes(given: str, read: str) -> None:
    """JSON has quotes of its own, and models forget the second pair."""
    field = {**add("B", "take", "lang", side="input"), "default": given}
    ran = negotiate(AGENTS, LINKS, script({"B.propose": proposals(propose(field))}))
    assert ran.of("proposal_tabled")[0].proposal["diff"][0]["default"] == read


def test_a_field_given_under_its_own_name_is_the_parameter_and_no_text() -> None:
    """Rules passed `city` on as the text 'city': every gate said yes, and the program was wrong."""
    field = {**add("B", "take", "city", side="output"), "default": "city"}
    ran = negotiate(AGENTS, LINKS, script({"B.propose": proposals(propose(field))}))
    assert ran.of("proposal_tabled")[0].proposal["diff"][0]["default"] == "city"
