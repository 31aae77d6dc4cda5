"""The longest tasks, each in at most eight actions: a build with its questions, a decision, a document, a run.

Whoever opens a table sits down at it at once, fills in one ballot, and answers and approves in one press. Counted is
from the page as it opens; what others do in their own browsers is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.browser.test_tasks import BUS, MOST, Hand, settled
from tests.serving import Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
MOST |= {
    "a build with its questions answered": 8,
    "a decision, opened and sat at": 8,
    "a disclosed decision, opened and sat at": 8,
    "a decision, each option marked": 8,
    "a private decision, with one objection": 8,
    "a document, opened and sat at": 5,
    "a point in the place of two lines": 6,
    "two differences, for the host": 6,
    "two differences, one answered in other words, for the host": 8,
    "two differences, for the guest": 6,
    "a letter, tried twice": 6,
    "a run, recorded and played again": 7,
    "an export, where nothing was built": 4,
    "an own change of both ends, approved": 7,
}
WORDS = "Where does the team meet, and when?\nplace: Lisbon, Oslo, Rome\nmonth: May, September"


def links(page: Page) -> dict[str, str]:
    """The seats' links that this tab has to hand over, by name."""
    kept = page.evaluate("JSON.parse(sessionStorage.getItem('graphbus-seat-keys') ?? '{}')")
    return {key.rpartition("/")[2]: value for key, value in kept.items()}


def seated(page: Page, served: Served, key: str) -> Page:
    """Another person's browser, behind this link."""
    assert page.context.browser is not None
    other = page.context.browser.new_context().new_page()
    other.goto(f"{served.url}/#seat={key}")
    return other


def test_a_build_with_its_questions_answered(page: Page, serve: Serve) -> None:
    served = serve("news_pipeline")
    opened(page, served)
    hand = Hand("a build with its questions answered")
    hand.click(page.get_by_role("button", name="Build", exact=True))
    both = page.get_by_role("button", name=re.compile("^Answer .* and approve$")).first
    alone = page.get_by_role("button", name="Approve", exact=True)
    with served.client() as client:

        def stops() -> str:
            """What a person sees next: a question to answer, one to approve, or the end."""
            builds = client.builds()["builds"]
            if both.is_visible() or alone.is_visible():
                return "asked"
            return "ended" if builds and builds[0]["state"] != "running" else ""

        while until(stops, 120) == "asked":
            asked = page.locator("article.question").get_attribute("data-question")
            hand.click(both if both.is_visible() else alone)
            expect(page.locator(f'[data-question="{asked}"]')).to_have_count(0)
    print(f"{hand.actions} actions: {settled(served)['detail']}")
    assert settled(served)["committed"] >= 1


def test_a_decision_opened_and_sat_at(page: Page, serve: Serve) -> None:
    """Three people, three browsers, a link for each: the opener's own way to the end, ballots and all."""
    served = serve("hello")
    opened(page, served)
    hand = Hand("a decision, opened and sat at")
    form = page.get_by_role("region", name="Decide by consent")
    hand.fill(form.get_by_label("What is decided"), WORDS)
    hand.fill(form.get_by_label("Who decides"), "Ann, Ben, Cem")
    hand.click(form.get_by_role("button", name="Begin, and sit down as Ann"))
    expect(page.get_by_text("You are Ann")).to_be_visible()
    expect(page.get_by_role("button", name="Copy Ben's link")).to_be_visible()
    keys = links(page)
    others = {name: seated(page, served, keys[name]) for name in ("Ben", "Cem")}
    likes = {"Ben": "Rome", "Cem": "Rome"}
    hand.check(page.get_by_role("radiogroup", name="Lisbon").get_by_label("Best"))
    hand.check(page.get_by_role("radiogroup", name="Rome").get_by_label("Good"))
    hand.check(page.get_by_role("radiogroup", name="September").get_by_label("Good"))
    page.reload()  # what is marked and not sent is there still
    for of, says in (("Lisbon", "Best"), ("Rome", "Good"), ("September", "Good")):
        expect(page.get_by_role("radiogroup", name=of).get_by_label(says)).to_be_checked()
    hand.click(page.get_by_role("button", name="Hand in my ballot"))
    page.reload()  # and so is what was sent
    for mark in ("place, Lisbon: Best", "month, September: Good"):
        expect(page.get_by_text(mark)).to_be_visible()
    page.wait_for_function("sessionStorage.getItem('graphbus-marks') === '{}'")  # also where the reload came first
    for name, other in others.items():
        other.get_by_role("radiogroup", name=likes[name]).get_by_label("Best").check()
        other.get_by_role("button", name="Hand in my ballot").click()
    expect(page.get_by_text("Your ballot, as you handed it in")).to_be_visible()
    expect(page.get_by_text("Worked out by GraphBus from what everybody answered").first).to_be_visible()
    page.get_by_text("How it was found, and how sure that is").first.click()
    expect(page.get_by_text("3 at the table said in private what they like")).to_be_visible()
    assert not re.search("multiplied|product|parties|adds up", page.locator("body").inner_text())  # nobody's words
    hand.click(page.get_by_role("button", name="Consent", exact=True))
    for other in others.values():
        other.get_by_role("button", name="Consent", exact=True).click()
    hand.done()
    for seat in (page, *others.values()):
        expect(seat.get_by_role("heading", name="Agreed")).to_be_visible()
        expect(seat.locator("aside")).to_contain_text("Rome")
        expect(seat.get_by_text("Agreed at the first vote, on what GraphBus proposed.")).to_be_visible()
    page.get_by_role("button", name="Back to the operator's view").click()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    expect(page.get_by_role("heading", name="Agreed")).to_be_visible()


@pytest.mark.parametrize("september", ["Best", "Fine"])
def test_a_decision_with_every_option_marked(page: Page, serve: Serve, september: str) -> None:
    """The people stand in the text, their links in sight; whoever consents ahead is asked only of another deal."""
    served = serve("hello")
    opened(page, served)
    hand = Hand("a decision, each option marked")
    form = page.get_by_role("region", name="Decide by consent")
    hand.fill(form.get_by_label("What is decided"), f"{WORDS}\nwho decides: Ann, Ben")
    hand.click(form.get_by_role("button", name="Begin, and sit down as Ann"))
    name, link = page.get_by_label("Links, one a line").input_value().split(": ", 1)
    assert name == "Ben"
    assert page.context.browser is not None
    ben = page.context.browser.new_context().new_page()
    ben.goto(link)
    marks = {"Lisbon": "Best", "Oslo": "No", "Rome": "Good", "May": "No", "September": september}
    for option, says in marks.items():
        hand.check(page.get_by_role("radiogroup", name=option).get_by_label(says))
    hand.click(page.get_by_role("button", name="Hand it in, and consent to Good or Best"))
    hand.done()
    for option in ("Rome", "September"):
        ben.get_by_role("radiogroup", name=option).get_by_label("Best").check()
    ben.get_by_role("button", name="Hand in my ballot").click()
    if september == "Best":
        expect(page.get_by_text("You consented, as you said with your ballot.")).to_be_visible()
    else:  # what is only fine was not consented to
        page.get_by_role("button", name="Consent", exact=True).click()
    ben.get_by_role("button", name="Consent", exact=True).click()
    for seat in (page, ben):
        expect(seat.get_by_role("heading", name="Agreed")).to_be_visible()
        expect(seat.locator("aside")).to_contain_text("September")


def test_a_disclosed_decision_opened_and_sat_at(page: Page, serve: Serve) -> None:
    """The opener proposes, with a line of what matters; the others come by the invitation and are asked once."""
    served = serve("hello")
    opened(page, served)
    hand = Hand("a disclosed decision, opened and sat at")
    form = page.get_by_role("region", name="Decide by consent")
    hand.fill(form.get_by_label("What is decided"), WORDS)
    hand.fill(form.get_by_label("Who decides"), "Ann, Ben, Cem")
    hand.check(form.get_by_label("Disclosed"))
    hand.click(form.get_by_role("button", name="Begin with one invitation"))
    expect(page.get_by_text("You are Ann")).to_be_visible()
    expect(page.get_by_text("At the table: Ann, Ben, Cem.")).to_be_visible()
    invitation = page.get_by_label("Invitation", exact=True).input_value()
    assert page.context.browser is not None
    others = {name: page.context.browser.new_context().new_page() for name in ("Ben", "Cem")}
    for name, other in others.items():
        other.goto(invitation)
        other.get_by_role("button", name=f"I am {name}").click()
        expect(other.get_by_text(f"You are {name}")).to_be_visible()
    hand.check(page.get_by_label("Lisbon"))
    hand.check(page.get_by_label("May", exact=True))
    hand.fill(page.get_by_label("What matters to you"), "That we see the sun")
    hand.click(page.get_by_role("button", name="Put it to the table"))
    ben, cem = others.values()
    ben.get_by_label("My position").fill("That the way is short")
    ben.get_by_role("button", name="Consent", exact=True).click()
    expect(cem.get_by_role("button", name="Consent", exact=True)).to_be_visible()
    expect(page.get_by_text("Ben consents")).to_have_count(0)  # not before all have voted
    for seat in (page, ben):  # who proposed, and who has voted, sees what is voted on while others do
        expect(seat.get_by_text("Nothing to answer now")).to_be_visible()
        expect(seat.get_by_role("heading", name="On the table (number 1)")).to_be_visible()
        expect(seat.get_by_role("listitem").filter(has_text="place: Lisbon")).to_be_visible()
    cem.get_by_role("button", name="Consent", exact=True).click()
    hand.done()
    for seat in (page, ben, cem):
        expect(seat.get_by_role("heading", name="Agreed")).to_be_visible()
        for words in (
            "That we see the sun",
            "That the way is short",
            "Agreed at the first vote, on what Ann proposed.",
        ):
            expect(seat.get_by_text(words).first).to_be_visible()


def test_a_private_decision_with_one_objection(page: Page, serve: Serve) -> None:
    """The opener proposes with the position; whoever comes by a link sees what there is to decide, and who reads it."""
    served = serve("hello")
    opened(page, served)
    hand = Hand("a private decision, with one objection")
    form = page.get_by_role("region", name="Decide by consent")
    hand.fill(form.get_by_label("What is decided"), f"{WORDS}\nwho decides: Ann, Ben, Cem")
    hand.check(form.get_by_label("Private"))
    hand.click(form.get_by_role("button", name="Begin, and sit down as Ann"))
    expect(page.get_by_text("You are Ann")).to_be_visible()
    keys = links(page)
    ben, cem = (seated(page, served, keys[name]) for name in ("Ben", "Cem"))
    hand.fill(page.get_by_label("My priority"), "That we see the sun")
    hand.check(page.get_by_label("Lisbon"))
    hand.check(page.get_by_label("May", exact=True))
    hand.click(page.get_by_role("button", name="State it"))
    for seat, says in ((ben, "That the way is short"), (cem, "That it is warm")):
        expect(seat.get_by_text("At the table: Ann, Ben, Cem. All of them read what you say here")).to_be_visible()
        expect(seat.get_by_text("what you cannot accept is shown to nobody else")).to_be_visible()
        expect(seat.get_by_text("Lisbon, Oslo, Rome")).to_be_visible()
        expect(seat.get_by_text("What I propose, if I know it now")).to_have_count(0)
        seat.get_by_label("My priority").fill(says)
        seat.get_by_label("What I cannot accept").fill("Oslo")
        seat.get_by_role("button", name="State it").click()
    ben.get_by_role("button", name="Consent", exact=True).click()
    cem.get_by_role("button", name="Object …").click()
    cem.get_by_label("Why I object").fill("May is too cold for me")
    cem.get_by_role("button", name="Object", exact=True).click()
    expect(ben.get_by_text("Not agreed: Cem objects")).to_be_visible()
    beside = ben.get_by_role("region", name="Who has said what")
    expect(beside.get_by_text("May is too cold for me")).to_have_count(1)
    for kept in ("Lisbon", "May"):
        expect(ben.get_by_label(kept, exact=True)).to_be_checked()  # one changes what one does not want
    ben.get_by_label("September").check()
    ben.get_by_role("button", name="Put it to the table").click()
    cem.get_by_role("button", name="Consent", exact=True).click()
    hand.click(page.get_by_role("button", name="Consent", exact=True))
    hand.done()
    for seat in (page, ben, cem):
        expect(seat.get_by_role("heading", name="Agreed")).to_be_visible()
        expect(seat.locator("aside")).to_contain_text("September")
    expect(page.get_by_text("(kept private)").first).to_be_visible()


def test_a_document_opened_and_sat_at(page: Page, serve: Serve) -> None:
    """The opener brings one text, the other comes by the link; one point, and both accept what it comes to."""
    served = serve("hello")
    opened(page, served)
    hand = Hand("a document, opened and sat at")
    form = page.get_by_role("region", name="Reconcile documents")
    hand.fill(form.get_by_label("Your text"), "# How long logs are kept\nKeep logs 3 days.\nBe kind.\n")
    hand.click(form.get_by_role("button", name="Open it, and sit down"))
    expect(page.get_by_role("heading", name="Your turn as host")).to_be_visible()
    guest = seated(page, served, links(page)["guest"])
    guest.get_by_label("Your text, guest").fill("# B\nKeep logs 5 days.\n")
    guest.get_by_role("button", name="Bring it").click()
    expect(page.get_by_label("Source guest")).to_contain_text("5 days")
    hand.fill(page.get_by_label("Other words, difference 1"), "Logs are kept 4 days.")
    hand.click(page.get_by_role("button", name="Hand the turn over"))
    guest.get_by_role("button", name="Accept it, and hand over").click()
    hand.click(page.get_by_role("button", name="Accept this text"))
    guest.get_by_role("button", name="Accept this text").click()
    expect(page.get_by_text("The final document stands.")).to_be_visible()
    expect(page.get_by_label("Final document")).to_contain_text("4 days")
    expect(page.get_by_label("Final document")).to_have_text(
        "# What was agreed\n\nLogs are kept 4 days.\n\nBe kind.\n"  # each text had a title, and nobody chose one
    )
    hand.done()


def test_a_point_takes_the_place_of_lines(page: Page, serve: Serve) -> None:
    """The lines are ticked; the other one sees which they are; the text is one that people would sign."""
    served = serve("hello")
    opened(page, served)
    hand = Hand("a point in the place of two lines")
    form = page.get_by_role("region", name="Reconcile documents")
    hand.fill(
        form.get_by_label("Your text"), "# Rules\n\n- Laptops stay closed during the meeting.\n- Notes are kept.\n"
    )
    hand.fill(
        form.get_by_label("Who sits there"), "Ann Müller, Ben"
    )  # a seat's own name is in small letters; a person's is kept
    hand.click(form.get_by_role("button", name="Open it, and sit down"))
    expect(page.get_by_text("You are Ann Müller")).to_be_visible()
    expect(page.get_by_role("heading", name="Your turn as Ann Müller")).to_be_visible()
    guest = seated(page, served, links(page)["ben"])
    expect(guest.get_by_text("It is the turn of Ann Müller")).to_be_visible()
    guest.get_by_label("Your text, Ben").fill("# Rules\n\n- Laptops stay open during the meeting.\n- Notes are kept.\n")
    guest.get_by_role("button", name="Bring it").click()
    hand.fill(page.get_by_label("Other words, difference 1"), "- Laptops stay closed, except for who writes.")
    hand.click(page.get_by_role("button", name="Hand the turn over"))
    expect(guest.get_by_text("In place of:")).to_be_visible()
    guest.get_by_role("button", name="Accept it, and hand over").click()
    expect(page.get_by_role("heading", name="The document to accept")).to_be_visible()
    expect(page.get_by_text("Nobody has accepted it yet; next is")).to_contain_text("Ann Müller, then Ben")
    whole = "# Rules\n\n- Laptops stay closed, except for who writes.\n- Notes are kept.\n"
    expect(page.get_by_label("Final document")).to_have_text(whole)
    expect(page.get_by_role("button", name="Save it as a file")).to_be_visible()
    hand.click(page.get_by_role("button", name="Accept this text"))
    hand.done()


def test_two_differences_each_one_tick(page: Page, serve: Serve) -> None:
    """Each chooses with a tick which of two lines is to stand; nobody types a word that stands there already."""
    served = serve("hello")
    opened(page, served)
    host = Hand("two differences, for the host")
    form = page.get_by_role("region", name="Reconcile documents")
    text = "# Plan\n\nWe release on {day}.\n\n- tests first\n- {who}\n"
    host.fill(form.get_by_label("Your text"), text.format(day="Friday", who="one reviewer"))
    host.click(form.get_by_role("button", name="Open it, and sit down"))
    invitation = page.get_by_label("Invitation", exact=True).input_value()
    assert page.context.browser is not None
    other = page.context.browser.new_context().new_page()
    other.goto(invitation)
    guest = Hand("two differences, for the guest")
    guest.actions += 1  # the link
    guest.click(other.get_by_role("button", name="I am guest"))
    guest.fill(other.get_by_label("Your text, guest"), text.format(day="Monday", who="two reviewers"))
    guest.click(other.get_by_role("button", name="Bring it"))
    host.check(page.get_by_label("We release on Monday."))
    host.check(page.get_by_label("one reviewer"))
    host.click(page.get_by_role("button", name="Hand the turn over"))
    expect(other.get_by_text("In place of:").first).to_be_visible()
    assert other.locator("s").all_inner_texts() == ["We release on Friday.", "two reviewers"]  # and no heading of ours
    guest.click(other.get_by_role("button", name="Accept all of it, and hand over"))
    host.click(page.get_by_role("button", name="Accept this text"))
    guest.click(other.get_by_role("button", name="Accept this text"))
    whole = "# Plan\n\nWe release on Monday.\n\n- tests first\n- one reviewer\n"
    expect(page.get_by_text("The final document stands.")).to_be_visible()
    expect(page.get_by_label("Final document")).to_have_text(whole)
    host.done()
    guest.done()


def test_the_last_words_and_the_text_are_accepted_in_one_press(page: Page, serve: Serve) -> None:
    """Two sides with a title each: one point is answered in other words; the host needs no turn for the text alone."""
    served = serve("hello")
    opened(page, served)
    host = Hand("two differences, one answered in other words, for the host")
    host.click(page.get_by_role("link", name="Begin", exact=True))
    form = page.get_by_role("region", name="Reconcile documents")
    text = "# Storage, as team {team} sees it\n\nBackups are kept for {days}.\n\nSettings are written in {how}.\n"
    host.fill(form.get_by_label("Your text"), text.format(team="alpha", days="90 days", how="YAML"))
    host.fill(form.get_by_label("The other text"), text.format(team="beta", days="30 days", how="JSON"))
    host.click(form.get_by_role("button", name="Open it, and sit down"))
    expect(page.get_by_role("heading", name="Your turn as host")).to_be_visible()
    guest = seated(page, served, links(page)["guest"])
    assert page.locator(".sides h4").all_inner_texts() == ["host", "guest"]
    expect(page.get_by_label("Storage, as team alpha sees it")).to_be_hidden()  # nobody has to choose a title
    host.check(page.get_by_label("Backups are kept for 90 days."))
    host.check(page.get_by_label("Settings are written in JSON."))
    host.click(page.get_by_role("button", name="Hand the turn over"))
    expect(guest.locator(".turn .issue h3")).to_have_text(
        ["Backups are kept for … days open", "Settings are written in … open"]
    )
    guest.get_by_role("button", name="Rather “Backups are kept for 30 days.”").click()
    guest.get_by_role("button", name="Accept host's words").nth(1).click()
    guest.get_by_role("button", name="Hand the turn over").click()
    foreseen = page.get_by_role("region", name="The text that comes of it")
    expect(foreseen).to_contain_text("Backups are kept for 30 days.")
    assert (
        page.locator(".turn .issue h3").first.inner_text() == "Backups are kept for … days open"
    )  # before what is settled
    expect(page.get_by_text("Settled already: Settings are written in …")).to_be_visible()
    read = foreseen.inner_text()
    host.click(page.get_by_role("button", name="Accept it, and this text"))
    expect(guest.get_by_text("Accepted by host; next is guest")).to_be_visible()
    guest.get_by_role("button", name="Accept this text").click()
    expect(page.get_by_text("The final document stands.")).to_be_visible()
    assert page.get_by_label("Final document").inner_text() == read
    host.done()


def test_a_letter_tells_its_tries(page: Page, serve: Serve, tmp_path: Path) -> None:
    """From a start to a letter that failed again, and says so at once; mended, it is gone."""
    folder = tmp_path / "library"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "shelf.py").write_text(BUS)
    opened(page, serve(folder))
    hand = Hand("a letter, tried twice")
    hand.click(page.get_by_role("link", name="Runtime", exact=True))
    hand.click(page.get_by_role("button", name="Start", exact=True))
    hand.fill(page.get_by_label("Topic"), "/Book/Returned")
    hand.click(page.get_by_role("button", name="Publish"))
    letters = page.get_by_label("Dead letters")
    expect(letters).to_contain_text("ValueError: the shelf is full")
    expect(letters).not_to_contain_text("Tried again")
    hand.click(letters.get_by_role("button", name="Retry", exact=True))
    again = re.compile(r"Tried again at \d\d:\d\d:\d\d, and it failed again: ValueError: the shelf is full")
    expect(page.get_by_role("alert")).to_have_text(again)
    tried = re.compile(
        r"Failed first at [\d:]+\. Tried again at [\d:]+, failed: ValueError: the shelf is full \(2 tries in all\)"
    )
    expect(letters.get_by_role("status")).to_have_text(tried)
    letters.get_by_role("link", name="/Book/Returned").click()  # the event tells the same, and a third try at once
    expect(page.locator("#inspector").get_by_text(tried)).to_be_visible()
    page.get_by_role("button", name="Retry", exact=True).click()
    expect(page.locator("#inspector").get_by_text("(3 tries in all)")).to_be_visible()
    page.go_back()
    expect(page.locator("dl.stats")).to_contain_text("at the first try; 2 retries failed as well")
    page.get_by_role("button", name="Forget them all").click()  # what is gone cannot be delivered: that is asked
    page.get_by_role("button", name="Keep them").click()
    (folder / "mended").touch()
    hand.click(letters.get_by_role("button", name="Retry", exact=True))
    expect(page.get_by_label("Dead letters")).to_have_count(0)
    hand.done()


def test_an_own_change_takes_the_other_end_along(page: Page, serve: Serve) -> None:
    """A renamed field that another component takes breaks its link; the same name there is one press more."""
    opened(page, serve("news_pipeline"))
    hand = Hand("an own change of both ends, approved")
    hand.click(page.get_by_role("complementary").get_by_role("link", name="CleanerService", exact=True))
    hand.click(page.get_by_text("Change its contract"))
    page.get_by_label("Which field, in step 1").select_option("CleanerService.clean output articles")
    hand.did()
    hand.fill(page.get_by_label("Name, in step 1"), "stories")
    trial = page.locator(".trial")
    expect(trial).to_contain_text("articles is required by the consumer")
    hand.click(page.get_by_role("button", name="Rename FormatterService.format_digest input articles, too"))
    expect(trial.locator("dt", has_text="Breaks").locator("+ dd")).to_have_text("no link")
    expect(page.get_by_role("button", name=re.compile("^Rename .*, too$"))).to_have_count(0)
    hand.click(page.get_by_role("button", name="Propose it"))
    hand.click(page.get_by_role("button", name="Approve", exact=True))
    expect(page.get_by_text("1 committed").first).to_be_visible(timeout=60_000)
    hand.done()


def test_a_run_is_recorded_and_played_again(page: Page, serve: Serve) -> None:
    """The payload is laid out by the contract; the newest journal lies open."""
    opened(page, serve("hello"))
    hand = Hand("a run, recorded and played again")
    hand.click(page.get_by_role("link", name="Runtime", exact=True))
    hand.check(page.get_by_label("Keep a journal"))
    hand.click(page.get_by_role("button", name="Start", exact=True))
    hand.fill(page.get_by_label("Topic"), "/Hello/Greeted")
    hand.click(page.get_by_role("button", name="Publish"))
    expect(page.get_by_label("Events", exact=True).get_by_role("link")).not_to_have_count(0)
    hand.click(page.get_by_role("link", name="Recorded runs, and replay"))
    hand.click(page.get_by_role("button", name="Play it on the newest build"))
    expect(page.get_by_text(re.compile("1 event and 0 calls played, .*every delivery was taken"))).to_be_visible()
    hand.done()


def test_an_export_offers_the_build_that_it_lacks(page: Page, serve: Serve) -> None:
    """Nobody is sent to another screen for it."""
    opened(page, serve("hello"))
    hand = Hand("an export, where nothing was built")
    hand.click(page.get_by_role("link", name="Exports, settings, journals"))
    hand.click(page.get_by_role("button", name="AsyncAPI"))
    expect(page.get_by_text("There is no build yet.")).to_be_visible()
    hand.click(page.get_by_role("button", name="Build it as it stands, and export"))
    with page.expect_download() as saved:
        hand.click(page.get_by_role("button", name=re.compile("^Save asyncapi")))
    assert "/Hello/Greeted" in Path(saved.value.path()).read_text()
    hand.done()
