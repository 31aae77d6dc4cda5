"""The field of an event: who takes it, and a rename of it at both ends, by the same roads as the page goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.testing import write_files
from tests.commit.test_flows_of_events import BAKERY, GIVEN, SENT, TAKEN, UNTYPED
from tests.http.test_trials import build
from tests.serving import V1, Served

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def ask(serve: Callable[..., Served], tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[V1]:
    write_files(tmp_path / "bakery", {"agents/__init__.py": "", "agents/bakery.py": request.param})
    asking = V1(serve(tmp_path / "bakery"))
    yield asking
    asking.http.close()


def try_diff(ask: V1, *diff: dict[str, Any]) -> tuple[str, list[str], list[str]]:
    """The verdict of a trial, what breaks, and who must agree."""
    tried = ask("POST", "/try", {"diff": [*diff]})
    return tried["verdict"], tried["breaks"], tried["asks"]


@pytest.mark.parametrize("ask", [BAKERY], indirect=True)
def test_a_rename_of_an_event_holds_whichever_end_asks_for_it(ask: V1) -> None:
    held = "It holds."
    assert try_diff(ask, SENT, TAKEN) == (held, [], ["Kitchen"])
    assert try_diff(ask, TAKEN, SENT) == (held, [], ["Till"])
    ended = build(ask, "Kitchen", [TAKEN, SENT])
    assert (ended["outcomes"], ended["detail"]) == ({"withdrawn": 1}, "0 committed, 1 declined by a person")
    for alone in (SENT, TAKEN):
        verdict, breaks, _ = try_diff(ask, alone)
        assert (verdict[:16], breaks) == ("It does not hold", ["Till -> /Order/Placed => Kitchen.on_order"])


@pytest.mark.parametrize("ask", [UNTYPED], indirect=True)
def test_a_handler_without_a_contract_is_a_place_that_takes_the_event(ask: V1) -> None:
    """The picture has the link and no field of it, so that nobody says that the field is not taken."""
    picture = ask("GET", "/picture")
    (link,) = picture["links"]
    (kitchen,) = (one for one in picture["components"] if one["name"] == "Kitchen")
    assert (link["target"]["method"], link["fields"], kitchen["methods"][0]["inputs"]) == ("on_order", [], [])
    assert try_diff(ask, SENT) == ("It holds.", [], ["Kitchen"])


@pytest.mark.parametrize("ask", [BAKERY], indirect=True)
def test_a_change_that_concerns_nobody_is_put_to_a_neighbour_and_says_so(ask: V1) -> None:
    tried = ask("POST", "/try", {"diff": [GIVEN]})
    assert (tried["verdict"], tried["why"]) == (
        "It holds.",
        {"Kitchen": "nobody is affected, so the neighbours of Till are asked"},
    )
