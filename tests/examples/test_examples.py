"""The examples: what they claim about themselves holds."""

from __future__ import annotations

import shutil
import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.links import link
from graphbus_core.analysis.scan import scan
from graphbus_core.cli.examples import example
from graphbus_core.errors import UsageError

# What the negotiation must come to, as edits by hand: (file, before, after).
AGREED = [
    ("cleaner.py", "'items': list[Headline],   # what", "'headlines': list[Headline], 'feed_title': str,   # what"),
    ("cleaner.py", "def clean(self, items):", "def clean(self, headlines, feed_title):"),
    ("cleaner.py", "for item in items:", "for item in headlines:"),
    ("cleaner.py", "'minutes': float, ", "'minutes': float, 'feed_title': str,"),
    ("cleaner.py", "'articles': articles,", "'articles': articles, 'feed_title': feed_title,"),
    ("formatter.py", '"minutes": int, "edition": str}', '"minutes": float, "edition": NotRequired[str]}'),
    ("formatter.py", "from graphbus_core import", "from typing import NotRequired\nfrom graphbus_core import"),
]


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """A copy of the news pipeline."""
    return Path(shutil.copytree(example("news_pipeline"), tmp_path / "news"))


def agree(pipeline: Path) -> None:
    """Apply what must be agreed."""
    for name, before, after in AGREED:
        path = pipeline / "agents" / name
        text = path.read_text("utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, after), "utf-8")


def services(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Instances of the three services, imported from the copy."""
    monkeypatch.syspath_prepend(str(pipeline))
    for name in [n for n in sys.modules if n == "agents" or n.startswith("agents.")]:
        monkeypatch.delitem(sys.modules, name)
    invalidate_caches()
    names = {"fetcher": "FetcherService", "cleaner": "CleanerService", "formatter": "FormatterService"}
    made = {cls: getattr(import_module(f"agents.{module}"), cls)() for module, cls in names.items()}
    for name in [n for n in sys.modules if n == "agents" or n.startswith("agents.")]:
        del sys.modules[name]
    return made


def test_the_pipeline_is_shipped_with_the_mismatches_its_readme_names(pipeline: Path) -> None:
    """Both links do not fit, and nothing else is wrong."""
    linked = link(scan(pipeline / "agents").agents)
    assert [m.link.id for m in linked.mismatches] == [
        "CleanerService.clean => FormatterService.format_digest",
        "FetcherService.fetch_headlines => CleanerService.clean",
    ]
    assert all(m.counterexample is not None for m in linked.mismatches)
    assert linked.ambiguous == ()
    assert linked.dangling == ()


def test_before_the_agreement_the_pipeline_does_not_run(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mismatch is real: the cleaner cannot be called with what the fetcher sends."""
    nodes = services(pipeline, monkeypatch)
    fetched = nodes["FetcherService"].fetch_headlines(str(pipeline / "feeds/harbour_rss.xml"))
    with pytest.raises(TypeError):
        nodes["CleanerService"].clean(**fetched)


@pytest.mark.parametrize(("feed", "stories"), [("harbour_rss.xml", 5), ("observatory_atom.xml", 3)])
def test_after_the_agreement_it_fits_and_runs(
    pipeline: Path, monkeypatch: pytest.MonkeyPatch, feed: str, stories: int
) -> None:
    """With the edits that the agents must come to, every link fits and the digest comes out, doubles dropped."""
    agree(pipeline)
    assert link(scan(pipeline / "agents").agents).mismatches == ()
    nodes = services(pipeline, monkeypatch)
    fetched = nodes["FetcherService"].fetch_headlines(str(pipeline / "feeds" / feed))
    cleaned = nodes["CleanerService"].clean(**fetched)
    digest = nodes["FormatterService"].format_digest(**cleaned)["digest"]
    assert digest.splitlines()[0].startswith(fetched["feed_title"])
    assert f"{stories} stories" in digest
    assert "<" not in digest
    assert "&amp;" not in digest


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<rss><channel>", "not well-formed"),
        (b"<html/>", "neither RSS"),
        (b'<!DOCTYPE rss [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss>&b;</rss>', "entity"),
        ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE r [<!ENTITY a "x">]><r>&a;</r>'.encode("utf-16"), "entity"),
    ],
)
def test_a_feed_that_cannot_be_read_is_refused(
    pipeline: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, why: str
) -> None:
    """Broken XML, other XML, and entity bombs in whatever encoding."""
    (pipeline / "feed.xml").write_bytes(content)
    fetcher = services(pipeline, monkeypatch)["FetcherService"]
    with pytest.raises(ValueError, match=why):
        fetcher.fetch_headlines(str(pipeline / "feed.xml"))


def test_hello_fits() -> None:
    """The smallest project has one checked link, and it fits."""
    linked = link(scan(example("hello")).agents)
    assert [one.id for one in linked.links] == ["Greeter -> /Hello/Greeted => GuestBook.on_greeted"]
    assert linked.mismatches == ()
    assert linked.unchecked == ()


def test_an_unknown_example_names_the_known_ones() -> None:
    """A typo is answered."""
    with pytest.raises(UsageError, match="hello, news_pipeline"):
        example("helo")
