"""Every state of the page, made by real work in one project: what is looked at for accessibility and in pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.serving import V1, Served, until, write_news_script

LINK = "FetcherService.fetch_headlines%20%3D%3E%20CleanerService.clean"
SEALED = """\
topic: Where the team meets
issues:
  place: [Lisbon, Oslo, Rome]
advocates:
  Ann: {priority: Sun}
  Ben: {priority: Money}
"""


@dataclass(frozen=True)
class State:
    """A state: its name, where it is, and what is done there before one looks. `seat`: the key of who looks, where that
    is not the operator."""

    name: str
    address: str
    act: Callable[[Page], object] = lambda page: None
    seat: str = ""


def enter(page: Page, state: State) -> None:
    """Go there as whoever looks."""
    now, operator = page.evaluate(
        """() => {
          const now = sessionStorage.getItem("graphbus-token");
          if (!sessionStorage.getItem("operator")) sessionStorage.setItem("operator", now);
          return [now, sessionStorage.getItem("operator")];
        }"""
    )
    wanted = state.seat or operator
    if wanted == now:
        page.evaluate(f"location.hash = '#/{state.address}'")
        return
    page.evaluate(
        "([key, address]) => { sessionStorage.setItem('graphbus-token', key); location.hash = `#/${address}`; }",
        [wanted, state.address],
    )
    page.reload()
    expect(page.locator("#state")).to_have_text("live")


def settle(page: Page) -> None:
    """Wait until nothing in the page has changed for a moment, or has not stopped to in two seconds; then one frame."""
    page.evaluate(
        """() => new Promise((done) => {
          const end = () => { watch.disconnect(); clearTimeout(last); requestAnimationFrame(() => done()); };
          const last = setTimeout(end, 2000);
          let quiet = setTimeout(end, 100);
          const watch = new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(end, 100); });
          watch.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
        })"""
    )


def show(page: Page, state: State) -> None:
    """Go there, wait until it is whole, and do what is to be done there."""
    enter(page, state)
    settle(page)
    expect(page.get_by_text("Loading …")).to_have_count(0)
    state.act(page)
    settle(page)


class Api(V1):
    """The calls that bring a project into its states."""

    def get(self, path: str) -> dict[str, Any]:
        return dict(self("GET", path))

    def post(self, path: str, body: Any = None) -> dict[str, Any]:
        return dict(self("POST", path, body))

    def asked(self, *kinds: str) -> dict[str, Any] | None:
        """An open question of one of these kinds."""
        return next((one for one in self.get("/questions")["items"] if one["kind"] in kinds), None)


def _pick_a_mend(page: Page) -> None:
    expect(page.get_by_text("(loses data)")).to_be_visible()  # the ways are tried until one is picked
    page.get_by_role("button", name="rename items → headlines").click()
    expect(page.get_by_text("✓ It holds.")).to_be_visible()


def _counter(page: Page) -> None:
    page.get_by_label("Counter", exact=True).first.check()
    expect(page.locator(".trial").first).to_contain_text(re.compile("It holds|It can be done"))


def _open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def _export(page: Page) -> None:
    page.get_by_role("button", name="mermaid").click()
    expect(page.get_by_label("Export as mermaid")).to_contain_text("flowchart")
    _open_all(page)


def states(served: Served) -> list[State]:
    """Do the work, and say where its states are. What is asked stays open."""
    api = Api(served)
    script = write_news_script(served.folder)
    api.post("/builds", {"model": script})
    until(lambda: api.get("/builds")["items"][0]["state"] != "running", 120)
    done = api.get("/negotiations")["items"][0]["id"]
    log = api.get(f"/negotiations/{done}")["log"]
    committed = next(one["id"] for r in log["rounds"] for one in r["proposals"] if one["outcome"] == "committed")
    for proposal in reversed([one["id"] for r in log["rounds"] for one in r["proposals"]]):
        api.post(f"/proposals/{proposal}/undo", {"allow_mismatches": True})  # so that something does not fit again
    api.post("/runtime/start", {"payload_checks": "off"})
    event = api.post("/events", {"topic": "/News/Digest", "payload": {"digest": "…"}})["event_id"]
    api.http.post("/nodes/FormatterService/call", json={"method": "first_sentence", "payload": {"text": "One. Two."}})
    call = api.get("/calls")["items"][0]["id"]
    sealed, grading = (
        api.post("/consents", {"scenario": SEALED, "humans": ["Ann", "Ben"], "preferences": "sealed"}) for _ in range(2)
    )
    sources = [{"name": "a", "text": "# A\nKeep logs 3 days.\n"}, {"name": "b", "text": "# B\nKeep logs 5 days.\n"}]
    api.post("/documents", {"name": "logs", "topic": "How long logs are kept", "sources": sources, "agents": 2})
    api.post("/documents", {"name": "empty", "topic": "Who sits there", "sources": sources, "agents": 2})
    for agent in ("ann", "bob"):
        api.post("/documents/logs/seats", {"agent": agent})
    issue = {"title": "Days", "question": "How many?"}
    api.post("/documents/logs/turns", {"agent": "ann", "issues": [issue]})

    def graded() -> bool:
        """Answer what comes before the grades, in the second of the two decisions."""
        said = {"red_lines": {"lines": []}, "minimum": {"share": 40}, "dependence": {"choice": 1}}
        kinds = []
        for seat in grading["seats"]:
            own = Api(served, seat["key"])
            for one in own.get("/questions")["items"]:
                kinds.append(one["kind"])
                if one["kind"] in said:
                    own.post(f"/questions/{one['id']}/answer", said[one["kind"]])
        return kinds == ["compare", "compare"]

    until(graded)
    # Last: a build that waits for people, each with another question.
    api.post("/builds", {"model": script, "approve": True, "rounds": 1, "humans": ["CleanerService", "FetcherService"]})
    until(lambda: sum(one["kind"] == "propose" for one in api.get("/questions")["items"]) == 2)
    proposing = [one["id"] for one in api.get("/questions")["items"] if one["kind"] == "propose"]
    return [
        State("project", ""),
        State("link", f"link/{LINK}"),
        State("mend", f"link/{LINK}", _pick_a_mend),
        State("node", "node/CleanerService", _open_all),
        State("inbox", "inbox"),
        State("propose", f"question/{proposing[0].replace('/', '%2F')}"),
        State("red-lines", "", lambda page: page.wait_for_selector("[data-question]"), sealed["seats"][0]["key"]),
        State("grades", "", lambda page: page.wait_for_selector("[data-question]"), grading["seats"][0]["key"]),
        State("negotiations", "negotiations"),
        State("negotiation", f"negotiation/{done}"),
        State("rewound", f"negotiation/{done}?at=2"),
        State("proposal", f"proposal/{done}/{committed}"),
        State("runtime", "runtime"),
        State("event", f"event/{event}"),
        State("call", f"event/{call}"),
        State("consent", f"consent/{sealed['id']}"),
        State("document", "document/logs"),
        State("seats", "document/empty"),
        State("begin", "start", _open_all),
        State("beside", "project", _export),
        State("nothing", "link/nowhere"),
    ]


def evaluating(served: Served) -> list[State]:
    """The same build a step later: one is asked for a vote, and the other's counter is tried."""
    api = Api(served)
    for one in api.get("/questions")["items"]:
        if one["kind"] == "propose":
            api.post(f"/questions/{one['id']}/answer", {"proposals": []})
    vote = until(lambda: api.asked("evaluate"), 120)["id"]
    return [State("evaluate", f"question/{vote}"), State("counter", f"question/{vote}", _counter)]


def approving(served: Served) -> list[State]:
    """And at its end: a commit that waits for its approval."""
    api = Api(served)

    def asked() -> dict[str, Any] | None:
        for one in api.get("/questions")["items"]:
            if one["kind"] == "evaluate":
                api.post(f"/questions/{one['id']}/answer", {"decision": "accept", "reasoning": "Fine."})
        return api.asked("approve")

    return [State("approve", f"question/{until(asked, 120)['id']}")]
