"""A link once opened is its person's: in their browser alone, after a reload and in a new tab, and nobody copies it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.browser.test_short_ways import WORDS, links, seated
from tests.serving import V1, Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
TWO = "topic: Where to\npreferences: private\nissues: {place: [Lisbon, Rome]}\nadvocates: {Ann: {}, Ben: {}}\n"


def begin(page: Page, served: Served) -> None:
    """Ann opens a sealed decision with Ben and Cem, and sits down."""
    opened(page, served)
    page.get_by_role("link", name="Begin", exact=True).click()
    form = page.get_by_role("region", name="Decide by consent")
    form.get_by_label("What is decided").fill(WORDS)
    form.get_by_label("Who decides").fill("Ann, Ben, Cem")
    form.get_by_role("button", name="Begin with one invitation").click()
    expect(page.get_by_text("You are Ann")).to_be_visible()
    expect(page.get_by_label("Links for the others")).to_contain_text("Not here yet: Ben, Cem")


def test_the_opener_cannot_sit_down_as_ben(page: Page, serve: Serve) -> None:
    """Once Ben opened it there is no link to copy, the copied one is refused, and a new one is told to all."""
    served = serve("hello")
    begin(page, served)
    copied = links(page)
    ben, cem = (seated(page, served, copied[name]) for name in ("Ben", "Cem"))
    for name, seat in (("Ben", ben), ("Cem", cem)):
        expect(seat.get_by_text(f"You are {name}")).to_be_visible()
        expect(seat.get_by_role("button", name="Hand in my ballot")).to_be_visible()
    expect(page.get_by_label("Links for the others")).to_have_count(0)
    page.get_by_role("button", name="Back to the operator's view").click()
    rows = page.get_by_label("Who sits down here").get_by_role("listitem")
    expect(rows.filter(has_text="Ben")).to_contain_text("sat down")
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    assert copied["Ben"] not in page.content()
    other = seated(page, served, copied["Ben"])  # from a clipboard of before
    expect(other.get_by_role("alert").filter(has_text="Ben has already sat down with this link")).to_be_visible()

    ben.reload()
    expect(ben.get_by_role("button", name="Hand in my ballot")).to_be_visible()
    address = ben.url
    again = ben.context.new_page()
    ben.close()
    again.goto(address)
    expect(again.get_by_text("You are Ben")).to_be_visible()
    twice = again.context.new_page()
    twice.goto(f"{served.url}/#seat={copied['Ben']}")  # the same link in the same browser leads to the same seat
    expect(twice.get_by_text("You are Ben")).to_be_visible()
    bare = again.context.new_page()
    bare.goto(served.url)  # and so does the bare address
    expect(bare.get_by_text("You are Ben")).to_be_visible()
    second = page.context.new_page()  # the operator's browser: a tab tells the next one, and nothing is written down
    second.goto(f"{served.url}/#/consent/{rows.page.url.rpartition('/')[2]}")
    expect(second.get_by_label("Who sits down here")).to_be_visible()
    assert served.token not in second.evaluate("JSON.stringify(localStorage)")
    second.close()

    rows.filter(has_text="Ben").get_by_role("button", name="Make a new link").click()
    expect(again.get_by_text("A new link was made for Ben, and this session ended.")).to_be_visible()
    expect(cem.get_by_text("A new link was made for Ben. Whoever sat there until then is out.")).to_be_visible()


def test_a_link_that_somebody_else_opened_first(page: Page, serve: Serve) -> None:
    """The person is told whom to ask, tells the table with one press, and the opener makes a new link with one."""
    served = serve("hello")
    begin(page, served)
    copied = links(page)
    stranger = seated(page, served, copied["Ben"])
    expect(stranger.get_by_text("You are Ben")).to_be_visible()
    ben = seated(page, served, copied["Ben"])
    expect(ben.get_by_role("alert").filter(has_text="ask Ann, who opened the table, for a new link")).to_be_visible()
    ben.get_by_role("button", name="It was not me: tell the table").click()
    expect(ben.get_by_text("The table was told")).to_be_visible()
    told = "Somebody with the link of Ben says that it was not Ben who sat down."
    for seat in (stranger, page):
        expect(seat.get_by_role("status").filter(has_text=told)).to_be_visible()
    expect(stranger.get_by_role("button", name="Make a new link")).to_have_count(0)
    page.get_by_role("button", name="Make a new link for Ben").click()
    expect(stranger.get_by_text("this session ended")).to_be_visible()
    link = page.get_by_label("New link for Ben").input_value()
    ben.goto("about:blank")
    ben.goto(link)
    expect(ben.get_by_text("You are Ben")).to_be_visible()
    expect(ben.get_by_role("button", name="Hand in my ballot")).to_be_visible()


def test_what_is_said_of_a_used_link_is_said_of_no_other_address(page: Page, serve: Serve) -> None:
    """Ben tries Cem's link and finds his own place again; who has no seat is told whose place an address is."""
    served = serve("hello")
    begin(page, served)
    copied = links(page)
    ben, cem = (seated(page, served, copied[name]) for name in ("Ben", "Cem"))
    own = ben.url
    expect(cem.get_by_text("You are Cem")).to_be_visible()
    expect(ben.get_by_text("You are Ben")).to_be_visible()
    other = seated(page, served, copied["Cem"])
    for one in (ben, other):
        one.goto(f"{served.url}/#seat={copied['Cem']}")
        expect(one.get_by_role("heading", name="Somebody sits there already")).to_be_visible()
        one.goto(own)
    expect(ben.get_by_text("You are Ben")).to_be_visible()
    expect(ben.get_by_role("button", name="Hand in my ballot")).to_be_visible()
    expect(other.get_by_role("heading", name="This is somebody's own place")).to_be_visible()
    expect(other.get_by_text("Here sits Ben, in another browser.")).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", name="This is somebody's own place")).to_be_visible()


def test_a_doubt_by_the_invitation_says_no_more_than_is_true(page: Page, serve: Serve) -> None:
    """Whoever has only the invitation does not hold Ben's link; the opener closes the note for everybody."""
    served = serve("hello")
    begin(page, served)
    ben = seated(page, served, links(page)["Ben"])
    expect(ben.get_by_text("You are Ben")).to_be_visible()
    assert page.context.browser is not None
    outsider = page.context.browser.new_context().new_page()
    outsider.goto(page.get_by_label("Invitation", exact=True).input_value())
    outsider.get_by_role("button", name="That was not me: tell the table").last.click()
    told = "Somebody with the invitation says: I am Ben, and it was not me who sat down."
    for seat in (ben, page):
        expect(seat.get_by_role("status").filter(has_text=told)).to_be_visible()
    expect(ben.get_by_role("button", name="I asked: it is Ben")).to_have_count(0)
    page.get_by_role("button", name="I asked: it is Ben").click()
    for seat in (ben, page):
        expect(seat.get_by_role("status").filter(has_text=told)).to_have_count(0)


def test_one_invitation_and_another_device(page: Page, serve: Serve) -> None:
    """Whoever opens it says who they are; a taken name shows as taken. From one's own page one goes on elsewhere."""
    served = serve("hello")
    begin(page, served)
    invitation = page.get_by_label("Invitation", exact=True).input_value()
    assert page.context.browser is not None
    ben, cem = (page.context.browser.new_context().new_page() for _ in range(2))
    ben.goto(invitation)
    expect(ben.get_by_text("Where does the team meet, and when?")).to_be_visible()
    expect(ben.get_by_text("Ann has sat down")).to_be_visible()
    ben.get_by_role("button", name="I am Ben").click()
    expect(ben.get_by_text("You are Ben")).to_be_visible()
    ben.get_by_role("button", name="Hand in my ballot").click()
    expect(ben.get_by_text("Nothing is marked, so everything would count as a no.")).to_be_visible()
    ben.get_by_role("button", name="Hand in my ballot").click()
    again = ben.context.new_page()
    again.goto(invitation)  # whoever sits there is led to their own seat, and offered no other one
    expect(again.get_by_text("You are Ben")).to_be_visible()
    cem.goto(invitation)
    expect(cem.get_by_text("Ben has sat down")).to_be_visible()
    expect(cem.get_by_role("button", name="I am")).to_have_count(1)

    ben.get_by_role("button", name="Go on with another device").click()
    link = ben.get_by_label("Link for your other device").input_value()
    phone = page.context.browser.new_context().new_page()
    phone.goto(link)
    expect(phone.get_by_text("You are Ben")).to_be_visible()
    expect(ben.get_by_text("Ben went on in another browser, so this one is out.")).to_be_visible()


def test_a_seat_asks_nothing_that_is_the_operators(page: Page, serve: Serve) -> None:
    """Whoever sits down in the operator's tab, from any of its places, is refused nothing: the page does not ask."""
    served = serve("hello")
    begun = V1(served)("POST", "/consents", {"scenario": TWO, "humans": ["Ann", "Ben"]})
    opened(page, served, "runtime")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    refused: list[str] = []
    page.on("response", lambda one: refused.append(one.url) if one.status == 403 else None)
    page.evaluate("key => { location.hash = `#seat=${key}&/runtime` }", begun["seats"][0]["key"])
    expect(page.get_by_text("You are Ann")).to_be_visible()
    expect(page.get_by_label("My priority")).to_be_visible()
    assert refused == []
