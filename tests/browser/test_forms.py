"""People decide in forms: a change is picked step by step, tried on a copy with every key, and nobody types JSON."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_page import opened
from tests.browser.test_tasks import settled
from tests.serving import Served, until, write_news_script

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)
LINK = "link/FetcherService.fetch_headlines%20%3D%3E%20CleanerService.clean"


def test_a_change_is_tried_while_one_types(page: Page, serve: Serve) -> None:
    """The diff, what mends and breaks, and who must agree follow each step; nothing is written."""
    served = serve("news_pipeline")
    source = (served.folder / "agents" / "cleaner.py").read_text()
    opened(page, served, LINK)
    page.get_by_label("Rename it to").press_sequentially("headlines")
    expect(page.get_by_label("Name, in step 1")).to_have_value("headlines")
    expect(page.get_by_text("✓ It holds.")).to_be_visible()
    trial = page.locator(".trial")
    expect(trial).to_contain_text("MendsFetcherService.fetch_headlines => CleanerService.clean")
    expect(trial).to_contain_text("Must agreeFetcherService")
    page.get_by_label("Name, in step 1").fill("stories")
    expect(page.get_by_label("Diff")).to_contain_text("'stories'")
    expect(trial.locator("dt", has_text="Mends")).to_have_count(0)  # it mends nothing, and is not said to
    page.get_by_role("button", name="One more step").click()
    page.get_by_label("What, in step 2").select_option("Make optional:")
    page.get_by_label("Which field, in step 2").select_option("CleanerService.clean output minutes")
    expect(page.get_by_label("Diff")).to_contain_text("NotRequired[float]")
    page.get_by_role("button", name="Leave step 2 out").click()
    page.get_by_label("Name, in step 1").fill("")
    expect(page.get_by_label("Diff")).to_have_count(0)
    expect(page.get_by_role("button", name="Propose it")).to_have_count(0)
    assert (served.folder / "agents" / "cleaner.py").read_text() == source
    page.evaluate("location.hash = '#/link/CleanerService.clean%20%3D%3E%20FormatterService.format_digest'")
    page.get_by_role("button", name=re.compile("^make edition optional")).click()
    expect(page.locator("dt:text('Mends partly') + dd.warn")).to_contain_text("edition of CleanerService.clean")
    expect(trial.locator("dd.good")).to_have_count(0)  # nothing is green while a part of it does not fit


def test_who_speaks_for_a_component_proposes_by_two_clicks(page: Page, serve: Serve) -> None:
    """The mends of what does not fit are offered; what is proposed is weighed by the others and lands."""
    served = serve("news_pipeline")
    opened(page, served)
    with served.client() as client:
        client.start_build(model="rules", humans=["CleanerService"], rounds=1)
        until(lambda: client.questions()["questions"])
    page.evaluate("location.hash = '#/inbox'")
    card = page.locator("article").filter(has_text="CleanerService is asked: what do you propose?")
    expect(card).to_contain_text("items is required by the consumer")
    card.get_by_role("button", name="rename items → headlines").click()
    expect(card.get_by_text("✓ It holds.")).to_be_visible()
    card.get_by_role("button", name="Propose it").click()
    expect(card).to_have_count(0)
    with served.client() as client:  # this test is about her proposal alone
        told = {"decision": "reject", "reasoning": "Not now."}

        def over() -> bool:
            for one in client.questions()["questions"]:
                if one["kind"] == "evaluate":
                    client.answer(one["id"], told)
            return client.builds()["builds"][0]["state"] != "running"

        until(over, 120)
    assert settled(served)["committed"] == 1
    assert "'headlines'" in (served.folder / "agents" / "cleaner.py").read_text()


def test_a_counter_is_made_from_the_steps_of_the_proposal(page: Page, serve: Serve) -> None:
    """Leave a step out, see what the rest does, answer: the log has the counter as it was made."""
    served = serve("news_pipeline")
    opened(page, served)
    with served.client() as client:
        client.start_build(model=write_news_script(served.folder), humans=["CleanerService"], rounds=1)
        until(lambda: client.questions()["questions"])
        client.answer(client.questions()["questions"][0]["id"], {"proposals": []})
    page.evaluate("location.hash = '#/inbox'")
    card = page.locator("article").filter(has_text="let minutes be float").first
    card.get_by_label("Counter", exact=True).check()
    expect(card.get_by_text("It can be done, and does not mend all of it yet.")).to_be_visible()
    expect(card.get_by_label("Diff")).to_contain_text('"edition": NotRequired[str]')
    card.get_by_role("button", name="Leave step 2 out").click()
    expect(card.get_by_label("Diff")).to_contain_text('"minutes": float, "edition": str}')
    card.get_by_label("Why").fill("The edition stays.")
    card.get_by_role("button", name="Answer").click()
    with served.client() as client:

        def countered() -> bool:
            found = client.negotiations()["negotiations"][0]["id"]
            facts = client.negotiation_log(found)["facts"]
            said = [one["data"]["evaluation"] for one in facts if one["kind"] == "proposal_evaluated"]
            return any(len((one.get("counter_proposal") or {}).get("diff", ())) == 1 for one in said)

        until(countered)
