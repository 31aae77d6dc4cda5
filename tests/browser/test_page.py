"""The page, walked through as a person would: see, build, approve, replay, run; with a reload in the middle of each."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.serving import V1, Served, until

Serve = Callable[[str], Served]
pytestmark = pytest.mark.timeout(400)


def opened(page: Page, served: Served, view: str = "") -> None:
    """Open the address that was printed, then one place. Once: pasted again, it makes the page load anew."""
    if not page.url.startswith(served.url):
        page.goto(f"{served.url}/#token={served.token}")
    expect(page.locator("#state")).to_have_text("live")
    page.evaluate(f"location.hash = '#/{view}'")


def test_from_a_mismatch_to_a_running_pipeline(page: Page, serve: Serve) -> None:
    """See why it does not fit, build, approve each commit with its diff, replay, and every link fits."""
    served = serve("news_pipeline")
    opened(page, served)
    expect(page.get_by_role("heading", name="2 links do not fit")).to_be_visible()
    expect(page.get_by_text("items is required by the consumer", exact=False).first).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="2 links do not fit")).to_be_visible()

    page.get_by_role("button", name="Build", exact=True).click()
    page.evaluate("location.hash = '#/inbox'")
    approved = 0
    while approved < 10:
        card = page.locator("article.question").first
        over = page.get_by_text(re.compile("run-1: done"))
        expect(card.or_(over).first).to_be_visible(timeout=60_000)
        if over.is_visible():
            break
        asked = card.get_attribute("data-question")
        this = page.locator(f'article[data-question="{asked}"]')
        if this.get_by_label("Diff").count():
            expect(this.get_by_label("Diff")).to_contain_text("@@")
            if approved == 0:
                page.reload()
                expect(this).to_be_visible()
            this.get_by_role("button", name="Approve").click()
            approved += 1
        else:  # what the rules would only guess
            meant = re.compile("^Answer only: .*( becomes headlines| hands on |, too$| may be left out$)")
            this.get_by_role("button", name=meant).click()
        expect(this).to_have_count(0)
    assert approved >= 2
    # What the build did, told apart from what the page shows of it below.
    v1 = V1(served)
    logs = [path.read_text("utf-8") for path in served.folder.rglob("negotiations/*.jsonl")]
    assert v1("GET", "/mismatches")["items"] == [], "\n".join(logs)

    page.evaluate("location.hash = '#/negotiations'")
    page.locator("aside .list a").first.click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.locator(".outcome.committed").first).to_be_visible()
    slider = page.get_by_label("Replay: facts shown")
    slider.evaluate("s => { s.value = 2; s.dispatchEvent(new Event('input', {bubbles: true})); }")
    expect(page.locator(".outcome.committed")).to_have_count(0)
    expect(page.locator(".chip")).to_have_count(2)  # the picture is as it was, too
    page.reload()
    expect(page.get_by_text("as it stood after fact 2")).to_be_visible()
    expect(page.get_by_text("Follow live")).to_have_count(0)  # it has ended
    slider.press("End")
    expect(page.locator(".outcome.committed").first).to_be_visible()
    expect(page.locator(".chip")).to_have_count(0)
    page.locator(".outcome.committed a").first.click()
    expect(page.get_by_label("Diff")).to_contain_text("+")
    page.evaluate("location.hash = '#/'")
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()


def test_run_call_publish_and_see(page: Page, serve: Serve) -> None:
    """Start the runtime, call a node with the form made from its schema, publish, and see the event arrive."""
    served = serve("hello")
    opened(page, served, "runtime")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    page.get_by_label("Topic").fill("/Hello/Greeted")
    page.get_by_label("Payload (JSON)").fill('{"message": "from the page"}')
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_label("Events", exact=True)).to_contain_text("from the page")
    page.reload()
    expect(page.get_by_label("Events", exact=True)).to_contain_text("from the page")

    page.evaluate("location.hash = '#/node/Greeter'")
    card = page.locator(".card").filter(has=page.get_by_role("heading", name="Greeter.greet"))
    expect(card).to_be_visible()
    page.reload()
    card.get_by_label("name").fill("Ann")
    card.get_by_role("button", name="Call greet").click()
    expect(card.get_by_label("Result")).to_contain_text("Hello, Ann!")
    with served.client() as client:
        build = client.start_build(enable_agents=False)["id"]
        until(lambda: client.build(build)["state"] != "running")
    expect(page.get_by_text("running an older build")).to_be_visible()
    page.get_by_role("button", name="Restart on the newest").click()
    asked = page.get_by_role("group", name="The program that runs is stopped")
    expect(asked.get_by_role("button", name="Leave it running")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Restart on the newest")).to_be_focused()
    expect(page.get_by_text("running an older build")).to_be_visible()  # nothing ended
    page.keyboard.press("Enter")
    asked.get_by_role("button", name="Restart it").click()
    expect(page.get_by_text("running an older build")).to_be_hidden()
    page.evaluate("location.hash = '#/runtime'")
    page.get_by_role("button", name="Stop", exact=True).click()
    asked.get_by_role("button", name="Stop it").click()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_everything_by_keyboard(page: Page, serve: Serve) -> None:
    """Ctrl-K finds a component, a link and a command; no mouse is needed to read why a link fails."""
    served = serve("news_pipeline")
    opened(page, served)
    at_once = """() => {
      dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true}));
      return document.activeElement.getAttribute("aria-label");
    }"""
    assert page.evaluate(at_once) == "Find"  # no letter that is typed right after it gets lost
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("fetch_headlines clean fit")
    page.keyboard.press("Enter")
    expect(page.get_by_text("It does not fit.")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("headlines")
    expect(page.get_by_role("option").first).to_contain_text("headlines field of")  # the very name before what has it
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("cleanerservice")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator(".stage").focus()
    page.keyboard.press("+")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("0")


def test_a_wrong_token_is_said(page: Page, serve: Serve) -> None:
    """Without the token the page says what to do; a refused one shows nothing that looks live."""
    served = serve("hello")
    page.goto(f"{served.url}/")
    expect(page.get_by_role("heading", name="The token is missing")).to_be_visible()
    page.goto(f"{served.url}/#token=wrong")
    expect(page.get_by_role("heading", name="The token was refused")).to_be_visible()
    expect(page.locator(".picture")).to_have_count(0)


def test_a_mistyped_link_of_a_seat_is_said_once(page: Page, serve: Serve) -> None:
    """A guest has no other address: a sentence for them, nothing of the operator's, and no request again and again."""
    served = serve("hello")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install()
    page.goto(f"{served.url}/#seat=wrongwrong")
    expect(page.get_by_text("This link is not known here.")).to_be_visible()
    expect(page.get_by_text("token", exact=False)).to_have_count(0)
    expect(page.get_by_role("button", name="Build")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("This link is not known here.")).to_be_visible()
    before = len(asked)
    page.clock.run_for(6_000)  # a refused page of the operator's looks again after five seconds
    page.evaluate("fetch('/health')")  # what was asked for in these is told before this
    assert [url.rpartition("/")[2] for url in asked[before:]] == ["health"]


def test_a_deep_link_with_a_token_lands_there(page: Page, serve: Serve) -> None:
    """The place that the address names is shown, and the token leaves the address."""
    served = serve("hello")
    page.goto(f"{served.url}/#/node/Greeter&token={served.token}")
    expect(page.get_by_role("heading", name="Greeter", exact=True)).to_be_visible()
    assert page.url.endswith("#/node/Greeter")


# The page asks ten times as often, and each picture takes longer than the time between two of its questions.
SLOW_SERVER = """
const [every, ask] = [setInterval, fetch];
window.setInterval = (what, ms) => every(what, ms / 10);
window.fetch = async (...what) => {
  const answer = await ask(...what);
  if (String(what[0]).endsWith("/picture")) await new Promise((done) => setTimeout(done, 600));
  return answer;
};
"""


def test_a_source_edited_elsewhere_is_noticed(page: Page, serve: Serve) -> None:
    """Nobody has to reload after an edit in an editor, however long a busy server takes."""
    served = serve("hello")
    page.add_init_script(SLOW_SERVER)
    opened(page, served)
    expect(page.get_by_role("heading", name="Every link fits")).to_be_visible()
    (served.folder / "agents" / "late.py").write_text(
        "from graphbus_core import GraphBusNode\n\n\nclass Latecomer(GraphBusNode):\n    pass\n"
    )
    expect(page.get_by_role("link", name="Latecomer").first).to_be_visible()


def test_the_story_follows_what_is_done(page: Page, serve: Serve) -> None:
    """The demo opens on it: each step goes on when it was really done, and it can be left at any time."""
    served = serve("news_pipeline")
    page.goto(f"{served.url}/#/story&token={served.token}")
    story = page.get_by_label("The page in a minute")
    expect(story).to_contain_text("1 of 6")
    page.locator(".chip").first.click()
    expect(story).to_contain_text("2 of 6")
    page.reload()
    expect(story).to_contain_text("2 of 6")
    story.get_by_role("button", name="End the story").click()
    expect(story).to_be_hidden()
