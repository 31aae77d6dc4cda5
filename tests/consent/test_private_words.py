"""What a private table keeps: the red line of an advocate is shown to itself alone; a disclosed one shows it to all."""

from __future__ import annotations

import pytest

from graphbus_core.negotiation.consent.events import PositionStated
from graphbus_core.negotiation.consent.scenario.model import Preferences
from graphbus_core.services.decisions.private_words import KEPT, hide_red_line, hide_red_lines_said

STATED = PositionStated(advocate="Ann", priority="Sun", rationale="", red_line="Never Oslo", willing_to_trade="")


@pytest.mark.parametrize(
    ("preferences", "reader", "shown"),
    [
        (Preferences.DISCLOSED, "Ben", "Never Oslo"),
        (Preferences.DISCLOSED, None, "Never Oslo"),
        (Preferences.PRIVATE, "Ann", "Never Oslo"),
        (Preferences.PRIVATE, "Ben", KEPT),
        (Preferences.PRIVATE, None, KEPT),
        (Preferences.SEALED, "Ben", KEPT),
    ],
)
def test_a_red_line_is_shown_to_whoever_said_it(preferences: Preferences, reader: str | None, shown: str) -> None:
    event = hide_red_line(STATED, preferences, reader)
    assert isinstance(event, PositionStated)
    assert (event.red_line, event.priority) == (shown, "Sun")


def test_a_question_tells_no_red_line_of_others() -> None:
    said = [
        {"fact": "position_stated", "advocate": "Ann", "priority": "Sun", "red_line": "Never Oslo"},
        {"fact": "position_stated", "advocate": "Ben", "priority": "Money", "red_line": "Never Rome"},
        "a line",
    ]
    told = hide_red_lines_said({"preferences": "private", "said": said}, "Ann")["said"]
    assert "Never Oslo" in str(told)
    assert "Never Rome" not in str(told)
    assert "Money" in str(told)
    assert hide_red_lines_said({"preferences": "disclosed", "said": said}, "Ann")["said"] == said
