"""Small projects on disk for the tests of the commit engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphbus_core.analysis.scan import scan
from graphbus_core.commit import CommitEngine
from graphbus_core.config import BuildConfig
from graphbus_core.sandbox.runner import Limits

FETCHER = '''"""Fetches."""
from graphbus_core import GraphBusNode, publishes, schema_method


class Fetcher(GraphBusNode):
    SYSTEM_PROMPT = "I fetch."

    @publishes("/News/Raw", {"url": str})
    @schema_method(input_schema={"url": str}, output_schema={"headlines": list[str], "source": str})
    def fetch(self, url):
        self.publish("/News/Raw", {"url": url})
        return {"headlines": [url], "source": url}
'''
CLEANER = '''"""Cleans."""
from graphbus_core import GraphBusNode, depends_on, schema_method, subscribe


class Cleaner(GraphBusNode):
    SYSTEM_PROMPT = "I clean."

    @depends_on("Fetcher.fetch")
    @schema_method(
        input_schema={"headlines": list[str]},
        output_schema={"items": list[str]},  # what is left
    )
    def clean(self, headlines):
        return {"items": [h for h in headlines if h]}

    @subscribe("/News/Raw")
    def on_raw(self, event):
        return event["url"]
'''
FORMATTER = '''"""Formats."""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Formatter(GraphBusNode):
    SYSTEM_PROMPT = "I format."

    @depends_on("Cleaner.clean")
    @schema_method(input_schema={"items": list[str]}, output_schema={"digest": str})
    def render(self, items):
        return {"digest": "".join(items)}
'''
FILES = {"agents/fetcher.py": FETCHER, "agents/cleaner.py": CLEANER, "agents/formatter.py": FORMATTER}

CLEAN = {"node": "Cleaner", "method": "clean"}
FETCH = {"node": "Fetcher", "method": "fetch"}
RENDER = {"node": "Formatter", "method": "render"}


def write(root: Path, files: Mapping[str, str] = FILES) -> Path:
    """Write a project; gives its root."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def engine(root: Path, *, limits: Limits | None = None, **config: Any) -> CommitEngine:
    """An engine for the project at `root`."""
    settings = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"), **config)
    return CommitEngine(scan(root / "agents"), settings, limits=limits or Limits(timeout_s=10))


def about(proposal_id: str, *diff: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """What a commit effect carries."""
    return {"proposal_id": proposal_id, "proposer": "Cleaner", "round": 1, "diff": list(diff), "base": {}, **more}


def texts(root: Path) -> dict[str, str]:
    """The project's sources as they are."""
    return {
        p.relative_to(root).as_posix(): p.read_text() for p in sorted(root.rglob("*.py")) if ".graphbus" not in p.parts
    }
