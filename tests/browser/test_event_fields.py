"""The field of an event: who takes it, and its rename at both ends from either of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graphbus_core.testing import write_files
from tests.browser.test_page import opened
from tests.commit.test_flows_of_events import BAKERY, UNTYPED
from tests.serving import Served

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(400)


def test_a_field_of_an_event_is_renamed_from_either_end(page: Page, serve: Serve, tmp_path: Path) -> None:
    write_files(tmp_path / "bakery", {"agents/__init__.py": "", "agents/bakery.py": BAKERY})
    opened(page, serve(tmp_path / "bakery"))
    for way, label in (
        ("Till/%2FOrder%2FPlaced/payload", "Change it where it is taken, too (Kitchen.on_order)"),
        ("Kitchen/on_order/input", "Change it where it comes from, too (Till → /Order/Placed)"),
    ):
        page.evaluate(f"location.hash = '#/field/{way}/qty'")
        page.get_by_label("The new name").fill("amount")
        expect(page.locator(".trial")).to_contain_text("It does not hold")
        page.get_by_label(label).check()
        expect(page.locator(".trial")).to_contain_text("✓ It holds.")
        expect(page.get_by_role("button", name="Propose it")).to_be_enabled()


def test_a_handler_without_a_contract_is_not_nobody(page: Page, serve: Serve, tmp_path: Path) -> None:
    write_files(tmp_path / "bakery", {"agents/__init__.py": "", "agents/bakery.py": UNTYPED})
    opened(page, serve(tmp_path / "bakery"), "field/Till/%2FOrder%2FPlaced/payload/qty")
    expect(page.get_by_text("Kitchen takes the event; which of its fields, no contract says.")).to_be_visible()
    expect(page.get_by_text("No component of this project takes it")).to_have_count(0)
    page.get_by_label("The new name").fill("amount")
    expect(page.locator(".trial")).to_contain_text("✓ It holds.")


def test_who_is_asked_about_what_concerns_nobody_is_told_why(page: Page, serve: Serve, tmp_path: Path) -> None:
    write_files(tmp_path / "bakery", {"agents/__init__.py": "", "agents/bakery.py": BAKERY})
    opened(page, serve(tmp_path / "bakery"), "field/Till/order/input/qty")
    page.get_by_label("The new name").fill("amount")
    expect(page.locator(".trial")).to_contain_text("nobody is affected, so the neighbours of Till are asked")
