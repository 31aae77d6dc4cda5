"""The seat of a coding agent in a build: what its question holds, what is new in it, and what is no yes."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from graphbus_core.mcp.seats import TOLD, ClientSeats, SeatQuestion
from graphbus_core.model.operation import OPERATIONS, build_operation_schemas, parse_operation
from graphbus_core.negotiation.core import Ask, View
from graphbus_core.negotiation.proposal.answer_validation import check_answer
from graphbus_core.participants.people.durable_desk import DurableDesk, DurableDeskParticipant
from graphbus_core.services.questions import DESK

CARD = {"name": "Cleaner", "file": "agents/cleaner.py", "methods": [], "topics": [], "subscriptions": []}
ABOUT = {"round": 1, "card": {**CARD, "source": "class Cleaner:\n    pass"}, "neighbours": [], "limits": {}}
RENAME = {"op": "rename_field", "node": "Cleaner", "method": "clean", "side": "input", "field": "items", "to": "rows"}


def lay(folder: Path, ask: Ask) -> None:
    """Lay a question on the desk, as a build does that is killed while it waits."""

    async def wait() -> None:
        seat = DurableDeskParticipant(DurableDesk(folder / DESK), "build")
        with suppress(TimeoutError):
            await asyncio.wait_for(seat.answer(ask, View((), ())), 0.01)

    asyncio.run(wait())


def asked(seats: ClientSeats) -> SeatQuestion:
    """What the client is asked now."""
    question = seats.poll_question()
    assert question is not None
    return question


def test_rules_and_contracts_come_once_and_again_when_they_are_asked_for(tmp_path: Path) -> None:
    """12,400 characters a question were the same ones again; a client whose memory was cleared asks for everything."""
    seats = ClientSeats(tmp_path)
    seats.join("build", "Cleaner", "", "", 0)
    lay(tmp_path, Ask("1.propose.Cleaner", "Cleaner", "propose", {**ABOUT, "intent": "be quick"}))
    first = asked(seats)
    assert "class Cleaner" in first.instructions
    assert "be quick" in first.new
    assert "be quick" not in first.instructions
    assert "class Cleaner" not in first.new
    assert asked(seats).instructions == TOLD
    seats.forget_told()
    assert asked(seats).instructions == first.instructions


def test_the_schema_holds_the_form_of_every_operation(tmp_path: Path) -> None:
    """What it takes can be read, and what it does not take cannot: three of five refusals were about a form."""
    seats = ClientSeats(tmp_path)
    seats.join("build", "Cleaner", "", "", 0)
    lay(tmp_path, Ask("1.propose.Cleaner", "Cleaner", "propose", ABOUT))
    schema = asked(seats).answer_schema
    jsonschema.validate({"proposals": [{"summary": "so", "diff": [RENAME]}]}, schema)
    for wrong in (
        {**RENAME, "new_name": "rows"},
        {k: v for k, v in RENAME.items() if k != "to"},
        {**RENAME, "op": "x"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"proposals": [{"diff": [wrong]}]}, schema)
    assert len(json.dumps(schema)) < 9_000


@pytest.mark.parametrize(
    "schema", build_operation_schemas(), ids=lambda schema: str(schema["properties"]["op"]["const"])
)
def test_what_an_operations_schema_needs_is_what_reading_it_needs(schema: dict[str, Any]) -> None:
    """With all that is needed it is read; without any one of it, it is not."""
    values = {"optional": True, "side": "input"}
    name = schema["properties"]["op"]["const"]
    least = {key: values.get(key, "x") for key in schema["required"]} | {"op": name}
    least |= {"method": "x"} if "side" in least else {}
    least |= {"topic": "x"} if "producer" in schema["properties"] else {}  # one of the two; its sentence says so
    assert isinstance(parse_operation(least), OPERATIONS[name])
    for key in set(schema["required"]) - {"op"}:
        with pytest.raises(Exception, match=r"missing|name the method|side is"):
            parse_operation({k: v for k, v in least.items() if k != key})


def test_a_yes_with_a_condition_is_none() -> None:
    """It is handed back with what to do; one that brings its condition as a counter-proposal is heard."""
    ask = Ask("1.evaluate.p.Cleaner", "Cleaner", "evaluate", {"card": CARD, "neighbours": [], "proposal": {"diff": []}})
    half = {"decision": "accept", "reasoning": "fine", "conditions": ["if rows stays optional"]}
    assert "as it stands" in str(check_answer(ask, half))
    assert check_answer(ask, {**half, "conditions": []}) is None
    at = {key: value for key, value in RENAME.items() if key != "to"}
    counter = {"summary": "optional", "diff": [{**at, "op": "set_optional", "optional": True}]}
    assert check_answer(ask, {**half, "decision": "accept_with_modification", "counter_proposal": counter}) is None
