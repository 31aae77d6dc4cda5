"""Seats behind links: what waits on a desk survives a restart, is told once, and counts as silence after its time."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.consent import _replace_host
from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.people.durable_desk import SeatLink, build_notifier, open_run_desk
from graphbus_core.sessions.consent.seat_links import parse_duration

ASK = Ask("red_lines:Ann", "Ann", "red_lines", {"topic": "t", "text": "What can you not accept?"})


def answer(seat: SeatLink, refused: tuple[str, ...] = ()) -> Reply:
    return asyncio.run(asyncio.wait_for(seat.answer(ASK, View((), refused)), 60))


def test_an_answer_is_found_again_after_a_restart_and_nobody_is_told_twice(tmp_path: Path) -> None:
    told: list[Any] = []

    def person(about: Any) -> None:
        told.append(about)
        desk = open_run_desk(tmp_path)
        assert desk.answer(desk.list_open("Ann")[-1].id, {"lines": [f"answer {len(told)}"]})

    seat = SeatLink(open_run_desk(tmp_path), "run", notify=person)
    assert answer(seat).body == {"lines": ["answer 1"]}
    again = SeatLink(open_run_desk(tmp_path), "run", notify=person)
    assert answer(again).body == {"lines": ["answer 1"]}, "asked again after a kill, the answer is still there"
    assert len(told) == 1
    assert told[0]["seat"] == "Ann"
    assert answer(again, ("too long",)).body == {"lines": ["answer 2"]}, "a refused answer is asked for anew"
    assert len(told) == 2


def test_after_its_deadline_a_question_is_passed_over_and_stays_so(tmp_path: Path) -> None:
    late = answer(SeatLink(open_run_desk(tmp_path), "run", deadline_s=0.01))
    assert late.body is None
    assert "no answer within" in late.why
    assert not open_run_desk(tmp_path).answer("run/red_lines:Ann", {"lines": []}), "too late: the first one stands"
    assert answer(SeatLink(open_run_desk(tmp_path), "run", deadline_s=1e9)).body is None


def test_a_command_is_told_of_a_question_and_its_failure_stops_nothing(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    script = tmp_path / "tell.py"
    script.write_text(
        f"import os, sys\nopen({str(seen)!r}, 'w').write(os.environ['GRAPHBUS_SEAT'] + sys.stdin.read())\n"
    )
    failures: list[str] = []
    build_notifier(f"{sys.executable} {script}", {"Ann": "the-key"}, failures.append)(
        {"seat": "Ann", "kind": "minimum"}
    )
    assert seen.read_text().startswith("Ann{")
    assert "the-key" in seen.read_text()
    assert failures == []
    for broken in ("/no/such/command", "'", f"{sys.executable} -c 1/0", "http://127.0.0.1:1/x"):
        build_notifier(broken, {}, failures.append)({"seat": "Ann", "kind": "minimum"})
    assert len(failures) == 4
    assert all("waits all the same" in f for f in failures)


@pytest.mark.parametrize(
    ("text", "value"), [("90s", 90), ("30m", 1800), ("12h", 43200), ("3d", 259200), ("1.5 h", 5400)]
)
def test_lengths_of_time_are_read(text: str, value: float) -> None:
    assert parse_duration(text) == value


@pytest.mark.parametrize("text", ["", "3", "d", "-1d", "0s", "3 weeks", "1e3s"])
def test_what_is_no_length_of_time_is_said(text: str) -> None:
    with pytest.raises(UsageError, match="like 3d"):
        parse_duration(text)


def test_the_options_for_links_want_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["consent", "ask", "d.yaml", "--deadline", "3d"]) == 2
    assert "--links" in capsys.readouterr().err
    assert main(["consent", "ask", "d.yaml", "--links", "--deadline", "soon"]) == 2
    assert main(["consent", "serve"]) == 2


def test_a_link_under_another_name_keeps_the_port_that_is_listened_on() -> None:
    """Without it the link of `serve --tls-cert … --allow-host NAME` led to port 443, where nobody listens."""
    assert _replace_host("https://0.0.0.0:8421/", "decide.example.org") == "https://decide.example.org:8421/"
    assert _replace_host("http://[::1]:80/", "lan") == "http://lan:80/"
