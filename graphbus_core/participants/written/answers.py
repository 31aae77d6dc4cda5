"""Answers to questions of meaning from a YAML file (`--answers FILE`): what is meant where an agent has no evidence.

    answers:
      - link: FetcherService.fetch_headlines => CleanerService.clean
        field: items
        choice: headlines          # the name of a candidate, or none
        reason: the fetcher's headlines are what the cleaner cleans

`link` and `field` may be left out; among the entries that fit, the first answers. Where none fits, nobody answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Ask, Reply, View

KNOWN = ("link", "field", "choice", "reason")


class ScriptedAnswers:
    """Stateless: the question alone tells which entry answers it."""

    def __init__(self, entries: list[Mapping[str, Any]], file: str) -> None:
        self.entries, self.file = entries, file

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The first entry that fits, or silence. An answer that was refused is not repeated."""
        if ask.kind != "choose" or view.refused:
            return Reply(None, view.refused[-1] if view.refused else f"{self.file} answers questions of meaning alone")
        for one in self.entries:
            if one.get("link", ask.about["link"]) == ask.about["link"] and one.get("field") in (
                None,
                ask.about["field"],
            ):
                return Reply({"choice": one["choice"], "reason": str(one.get("reason") or "")})
        return Reply(None, f"{self.file} has no answer to it")


def read_answers(file: Path) -> ScriptedAnswers:
    """Raises ScenarioError with the file and what is wrong in it."""
    try:
        data = yaml.safe_load(file.read_bytes())
    except OSError as e:
        raise ScenarioError(f"--answers {file}: it cannot be read: {e.strerror}.") from None
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        raise ScenarioError(f"{file}:{mark.line + 1 if mark else 1}: this is not YAML.") from None
    entries = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise ScenarioError(f"{file}:1: it holds no list `answers:`, each with link, field and choice.")
    for number, one in enumerate(entries, 1):
        if not isinstance(one, dict) or not isinstance(one.get("choice"), str):
            raise ScenarioError(f"{file}: answer {number} has no `choice`; name a candidate, or write none.")
        if unknown := [key for key in one if key not in KNOWN]:
            raise ScenarioError(f"{file}: answer {number} has {unknown[0]!r}; there are {', '.join(KNOWN)}.")
    return ScriptedAnswers(entries, str(file))
