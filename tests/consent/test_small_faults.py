"""Slips in scenario files that people make, and what they are told."""

from __future__ import annotations

import pytest

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.yaml_format import read_scenario

SEATS = "advocates:\n  A: {scores: {at: {'12:30': 3}}}\n  B: {}\n"


def test_a_time_of_day_is_read_as_it_is_written() -> None:
    """YAML 1.1 reads 12:30 as 750."""
    scenario = read_scenario("topic: lunch\nissues: {at: [12:30, 13:00, 1:15:00]}\n" + SEATS)
    assert scenario.issues[0].options == ("12:30", "13:00", "1:15:00")
    assert scenario.issues[0].numbers is None


def test_a_list_where_names_are_expected_is_told_in_one_sentence() -> None:
    with pytest.raises(ScenarioError, match="names are expected here") as told:
        read_scenario("topic: lunch\nadvocates:\n  - Ann\n  - Bob\n")
    assert len(str(told.value)) < 160


def test_every_property_of_the_scenario_schema_is_described() -> None:
    from typing import Any

    from graphbus_core.negotiation.consent.scenario.yaml_format import SCENARIO_SCHEMA

    bare: list[str] = []

    def walk(schema: Any) -> None:
        if isinstance(schema, dict):
            properties = schema.get("properties")
            if isinstance(properties, dict):
                bare.extend(n for n, p in properties.items() if not p.get("description"))
            for part in schema.values():
                walk(part)
        elif isinstance(schema, list):
            for part in schema:
                walk(part)

    walk(SCENARIO_SCHEMA)
    assert bare == []
