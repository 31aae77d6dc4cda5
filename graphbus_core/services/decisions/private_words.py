"""What a private table keeps from everybody else: the red line that an advocate states is shown to itself alone.

The log and the ledger have it, as they have every position; what is shown on a page or told with a question has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from graphbus_core.negotiation.consent.events import PositionStated
from graphbus_core.negotiation.consent.scenario.model import Preferences
from graphbus_core.negotiation.core import Event

KEPT = "(kept private)"


def hide_red_line(event: Event, preferences: Preferences, reader: str | None) -> Event:
    """The fact as `reader` may see it; None for the operator, who sits nowhere."""
    if preferences is Preferences.DISCLOSED or not isinstance(event, PositionStated) or event.advocate == reader:
        return event
    return replace(event, red_line=KEPT) if event.red_line.strip() else event


def hide_red_lines_said(about: Mapping[str, Any], reader: str) -> dict[str, Any]:
    """What a question is about, with the red lines of others left out of what was said."""
    said: Iterable[Any] = about.get("said", ())
    if about.get("preferences") == Preferences.DISCLOSED.value or not said:
        return dict(about)
    return {**about, "said": [_hide_fact(fact, reader) for fact in said]}


def _hide_fact(fact: Any, reader: str) -> Any:
    if not isinstance(fact, Mapping) or "red_line" not in fact or fact.get("advocate") == reader:
        return fact
    return {key: value for key, value in fact.items() if key != "red_line"}
