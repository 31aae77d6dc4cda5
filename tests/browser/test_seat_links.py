"""Three people in three browsers, each with a link of its own, from the first question to the decision."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.serving import Printing, until

DECISION = """\
topic: Where the team meets
issues:
  place: [Lisbon, Oslo, Rome]
  month: [May, September]
advocates:
  Ann: {priority: Sun}
  Ben: {priority: Money}
  Cem: {priority: Food}
"""
NAMES = ("Ann", "Ben", "Cem")
WAIT_S = 120
LIKES = {  # what each person likes: grades by the option's name
    "Ann": {"Lisbon": 10, "Rome": 7, "Oslo": 0, "May": 0, "September": 10},
    "Ben": {"Lisbon": 8, "Oslo": 0, "Rome": 10, "May": 10, "September": 0},
    "Cem": {"Rome": 10, "Lisbon": 4, "Oslo": 0, "May": 10, "September": 0},
}


@pytest.fixture
def start(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Printing]]:
    """Starts `graphbus consent …` in the test's folder; all of them are over when the test is."""
    (tmp_path / "decision.yaml").write_text(DECISION)
    started: list[Printing] = []
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}

    def run(*arguments: str) -> Printing:
        command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "consent", *arguments]
        started.append(Printing(command, tmp_path, tmp_path_factory.mktemp("printed") / "said", environment))
        return started[-1]

    try:
        yield run
    finally:
        for one in started:
            one.end(kindly=False)


def links_of(serving: Printing, seats: int = len(NAMES)) -> dict[str, str]:
    """The links that `consent serve` prints."""
    found = serving.printed(r"^\s*(\w+)\s+(https?://\S+/seat#\S+)", times=seats, within_s=WAIT_S)
    return {match[1]: match[2] for match in found}


def begun(folder: Path, seats: int = len(NAMES)) -> str:
    """Waits until the run has laid its first questions down; its id."""
    asks: list[Path] = []

    def all_asked() -> bool:
        asks[:] = folder.glob(".graphbus/consent/*/desk/*.ask")
        return len(asks) == seats

    until(all_asked, WAIT_S)
    return asks[0].parents[1].name


def answered(page: Page, name: str, seen: list[tuple[str, str]]) -> bool:
    """Answer the question that the page shows, as this person would; False once it shows the decision."""
    page.wait_for_selector("[data-question], [data-decision]", timeout=WAIT_S * 1000)
    section = page.locator("[data-question]")
    if not section.count():
        return False
    question = section.get_attribute("data-question") or ""
    text = section.inner_text()
    seen.append((question, text))
    likes = LIKES[name]

    def worth(said: str) -> float:
        return (
            sum(v for word, v in likes.items() if word in said.split(" instead of ")[0])
            if "no deal" not in said
            else -1
        )

    grades = section.locator("input[type=number][id^=grade]")
    if grades.count():
        said = [label.inner_text() for label in section.locator("label").all()]
        worths = [worth(s) for s in said]
        low, high = (0, max(worths)) if "matter" in text else (min(worths), max(worths))
        for n, value in enumerate(worths):
            grades.nth(n).fill(str(round(10 * (value - low) / (high - low)) if high > low else 0))
    elif section.locator("textarea").count():
        section.locator("textarea").fill("No Oslo" if name == "Ann" else "")
    elif section.locator("#yes").count():
        section.locator("#yes").check()
    elif section.locator("#choice-1").count():
        section.locator("#choice-1").check()
    section.get_by_role("button", name="Answer").click()
    page.wait_for_selector(f'[data-question="{question}"]', state="detached", timeout=WAIT_S * 1000)
    return True


@pytest.mark.timeout(400)
def test_from_question_to_decision_killed_in_the_middle_nothing_is_asked_twice(
    start: Callable[..., Printing], browser: Browser, tmp_path: Path
) -> None:
    asking = start("ask", "decision.yaml", "--links", "--output", "d.md")
    run = begun(tmp_path)
    links = links_of(start("serve", "--port", "0"))
    pages = {name: browser.new_context().new_page() for name in NAMES}
    errors: list[str] = []
    for name, page in pages.items():
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(links[name])
    seen: dict[str, list[tuple[str, str]]] = {name: [] for name in NAMES}
    left = set(NAMES)
    rounds = 0
    while left:
        for name in sorted(left):
            if not answered(pages[name], name, seen[name]):
                left.discard(name)
            if rounds == 2 and name == "Ben":  # Ann and Ben have answered this round, Cem has not
                asking.end(kindly=False)
                asking = start("ask", "--resume", run)
        rounds += 1
        assert rounds < 40
    assert asking.process.wait(60) == 0
    for name in NAMES:
        ids = [question for question, _ in seen[name]]
        assert len(ids) == len(set(ids)), "nothing is asked twice"
        assert len(ids) >= 4
        assert pages[name].locator("[data-decision=DONE]").count() == 1
        assert "Oslo" not in pages[name].locator("[data-decision]").inner_text(), "Ann's red line holds"
        others = [n for n in NAMES if n != name]
        told = " ".join(text for _, text in seen[name])
        assert not any(f":{other}" in question for question in ids for other in others)
        if name != "Ann":
            assert "No Oslo" not in told, "nobody sees another's answers"
    assert errors == []
    assert (tmp_path / "d.md").read_text().startswith("# Decision")
    assert not list((tmp_path / ".graphbus" / "consent" / run / "desk").iterdir())


def test_a_link_opens_its_own_seat_alone(start: Callable[..., Printing], tmp_path: Path) -> None:
    start("ask", "decision.yaml", "--links")
    run = begun(tmp_path)
    links = links_of(start("serve", "--port", "0"))
    url = links["Ann"].split("/seat#")[0]
    keys = {name: link.split("#")[1] for name, link in links.items()}
    with httpx.Client(base_url=url, timeout=30) as client:

        def get(key: str) -> httpx.Response:
            return client.get("/seats/me", headers={"Authorization": f"Bearer {key}"})

        def post(key: str, body: Any) -> httpx.Response:
            return client.post("/seats/answer", headers={"Authorization": f"Bearer {key}"}, content=json.dumps(body))

        mine = get(keys["Ann"]).json()
        assert mine["seat"] == "Ann"
        assert [q["kind"] for q in mine["questions"]] == ["red_lines"]
        other = get(keys["Ben"]).json()["questions"][0]["id"]
        assert post(keys["Ann"], {"question": other, "answer": {"lines": []}}).status_code == 409
        for wrong in ("x", keys["Ann"][:-1], keys["Ann"] + "x", "ü", "../" + keys["Ann"]):
            assert client.get("/seats/me", headers=[(b"authorization", f"Bearer {wrong}".encode())]).status_code == 401
        question = mine["questions"][0]["id"]
        for nonsense in ({"lines": "no"}, {"lines": [7]}, {}, {"lines": ["x"] * 41}):
            told = post(keys["Ann"], {"question": question, "answer": nonsense})
            assert (told.status_code, told.json()["error"]["code"]) == (422, "invalid")
        for broken in ([], {}, {"question": question}, {"question": question, "answer": 7}, "x"):
            assert post(keys["Ann"], broken).status_code in (400, 422)
        assert post(keys["Ann"], {"question": question, "answer": {"lines": ["Never Oslo"]}}).status_code == 200
        assert post(keys["Ann"], {"question": question, "answer": {"lines": []}}).status_code == 409
        assert "Never Oslo" not in get(keys["Ben"]).text
        own = client.post("/seats/sessions", headers={"Authorization": f"Bearer {keys['Ben']}"}).json()
        assert own["name"] == "Ben"
        taken = get(keys["Ben"])  # the link is spent: whoever copied it opens nothing, and may say so
        assert (taken.status_code, taken.json()["error"]["code"]) == (401, "seat_taken")
        assert post(keys["Ben"], {"question": other, "answer": {"lines": []}}).status_code == 401
        disputed = client.post("/seats/disputes", headers={"Authorization": f"Bearer {keys['Ben']}"})
        assert disputed.json() == {"name": "Ben"}
        assert [line["news"] for line in get(keys["Ann"]).json()["story"]] == ["sat_down", "disputed"]
        assert (get(own["key"]).json()["seat"], get(own["key"]).json()["seated"]) == ("Ben", True)
        moved = client.post("/seats/links", headers={"Authorization": f"Bearer {own['key']}"}).json()["key"]
        elsewhere = client.post("/seats/sessions", headers={"Authorization": f"Bearer {moved}"}).json()["key"]
        assert get(own["key"]).json()["error"]["code"] == "seat_left"
        assert client.get("/seats/me", headers={"Host": "evil.example"}).status_code == 403
        assert client.get("/graph").status_code == 404, "the project is not served"
        page = client.get("/seat")
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        assert page.headers["referrer-policy"] == "no-referrer"
    again = start("serve", "--port", "0", "--new-link", "Ben")
    assert set(links_of(again)) == set(NAMES)
    newer = links_of(again)["Ben"]
    url = newer.split("/seat#")[0]
    with httpx.Client(base_url=url, timeout=30) as client:
        for key, code in ((elsewhere, "seat_ended"), (keys["Ben"], "seat_taken"), (newer.split("#")[1], None)):
            answer = client.get("/seats/me", headers={"Authorization": f"Bearer {key}"})
            assert answer.json().get("error", {}).get("code") == code
    folder = tmp_path / ".graphbus" / "consent" / run
    assert (folder / "links.json").stat().st_mode & 0o077 == 0
    assert (folder / "desk").stat().st_mode & 0o077 == 0


TALK = """\
topic: Where the data lies
stand_aside: true
issues: {store: [postgres, files], months: [6, 12]}
advocates:
  Ann: {priority: Safety, scores: {store: {postgres: 10}}}
  Ben: {priority: Cost, scores: {store: {files: 3, postgres: 2}, months: {6: 4}}}
  Cem: {priority: Speed, scores: {store: {postgres: 5}, months: {12: 3}}}
"""


def said(page: Page, tick: str = "", **texts: str) -> str:
    """Answer the question that the page shows: a choice ticked, texts filled in; the question's id."""
    page.wait_for_selector("[data-question]", timeout=WAIT_S * 1000)
    question = page.locator("[data-question]").get_attribute("data-question") or ""
    for name, text in texts.items():
        page.locator(f"#field-{name}").fill(text)
    if tick:
        page.locator(tick).check()
    page.get_by_role("button", name="Answer").click()
    page.wait_for_selector(f'[data-question="{question}"]', state="detached", timeout=WAIT_S * 1000)
    return question


@pytest.mark.timeout(400)
def test_a_talk_of_people_behind_links_killed_in_the_middle_one_stands_aside(
    start: Callable[..., Printing], browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "talk.yaml").write_text(TALK)
    talking = start("run", "talk.yaml", "--human", "Ann", "--human", "Ben", "--links", "--output", "d.md")
    run = begun(tmp_path, 2)
    links = links_of(start("serve", "--port", "0"), 2)
    ann, ben = (browser.new_context().new_page() for _ in range(2))
    errors: list[str] = []
    for page, name in ((ann, "Ann"), (ben, "Ben")):
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(links[name])
    ids = [said(ann, priority="Nothing is lost")]
    talking.end(kindly=False)
    talking = start("resume", run)
    ids.append(said(ben, priority="It stays cheap"))
    ids.append(said(ann, "#move-check"))
    assert "I stand aside" in ben.locator("[data-question]").inner_text(timeout=WAIT_S * 1000)
    ids.append(said(ben, "#aside"))
    ids.append(said(ann, "#yes"))
    assert len(ids) == len(set(ids)), "nothing is asked twice"
    for page in (ann, ben):
        page.wait_for_selector("[data-decision=DONE]", timeout=WAIT_S * 1000)
        assert "Stood aside: Ben." in page.locator("[data-decision]").inner_text()
        picture = page.wait_for_selector("figure img", timeout=WAIT_S * 1000)
        assert picture is not None
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert page.locator("figure a").get_attribute("download") == "decision.picture.svg"
    assert errors == []
    assert talking.process.wait(60) == 0
    assert "STOOD ASIDE: Ben" in (tmp_path / "d.md").read_text()
    assert (tmp_path / "d.picture.svg").read_text().startswith("<svg")
    assert not list((tmp_path / ".graphbus" / "consent" / run / "desk").iterdir())
