"""The seed's prompt forms (seed 003, "Prompt Format Examples"): topic, advocates with their priorities, options.

Use negotiation for authentication protocol design.
CC advocates Reliability, CX advocates Speed, CC-peer-02 advocates Security.
Output: projects/auth/protocol.md
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.model import Advocate, Scenario

_OPENING = re.compile(
    r"^\s*use\s+(?:the\s+)?negotiation\s+(?:skill\s+)?(?:to\s+decide\s+(?:on\s+)?|for\s+|on\s+|to\s+)?", re.I
)
_OPTION = re.compile(r"(?:^|(?<=[\s.,;]))(?P<name>output|work|max[_ ]turns)\s*[:=]\s*(?P<value>[^\s,;]+)", re.I)
_SAYS = re.compile(r"\s*=\s*|\s+advocates?\s+(?:for\s+)?", re.I)
_BOUNDARY = re.compile(r"[.:;,]\s+|\n")
# A line of its own that says what there is to choose from, as `Options: Lisbon, Oslo`.
_CHOICES = re.compile(r"^\s*(?:[-*]\s+)?([^:=\n]{1,60}:[ \t]+\S[^=\n]*)$", re.M)
_BETWEEN = re.compile(r"[,;\n]|\.(?=\s|$)")


@dataclass(frozen=True)
class ScenarioPrompt:
    """What a prompt says."""

    topic: str
    advocates: dict[str, str]
    output: str | None = None
    work: str | None = None
    max_turns: int | None = None

    def build_scenario(self) -> Scenario:
        """The scenario that it is: advocates with priorities, and nothing that can be computed."""
        seats = tuple(Advocate(n, priority=p) for n, p in self.advocates.items())
        return Scenario(self.topic, advocates=seats, max_turns=self.max_turns, output=self.output, work=self.work)


def read_prompt(text: str, seats: dict[str, str] | None = None) -> ScenarioPrompt:
    """The prompt, with advocates named beside it (`seats`). Raises ScenarioError that says what is missing."""
    # Options first, wherever they stand, and taken out: `Output: x` would otherwise be read as an advocate.
    options: dict[str, str] = {}
    for match in _OPTION.finditer(text):
        # A full stop behind a path ends the sentence. A path of dots alone is kept.
        options[match["name"].lower().replace(" ", "_")] = match["value"].rstrip(".,;") or match["value"]
    rest = _OPTION.sub("", text)
    opening = _OPENING.match(rest)
    topic, listed = _split_topic(rest[opening.end() :] if opening else rest)
    # Those named beside the prompt win: an option was typed on purpose.
    # Whoever is asked must read what there is to choose from, wherever in the prompt it was written.
    choices = [" ".join(line.split()) for line in _CHOICES.findall(listed) if not _SAYS.search(line)]
    topic = ". ".join(filter(None, [topic, *choices]))
    advocates = {**_parse_advocates(text, listed), **(seats or {})}
    _check_advocates(text, advocates)
    if not topic:
        raise ScenarioError("the prompt:1: it does not say what is to be decided. Begin with `Use negotiation for …`.")
    bound = options.get("max_turns")
    if bound is not None and (not bound.isdecimal() or len(bound) > 9 or int(bound) < 1):
        raise ScenarioError(f"the prompt:{_find_line(text, 'max')}: max_turns is {bound!r}; give a number from 1.")
    return ScenarioPrompt(topic, advocates, options.get("output"), options.get("work"), int(bound) if bound else None)


def _parse_advocates(text: str, listed: str) -> dict[str, str]:
    """The advocates of the list with their priorities. Parts of it that name none are passed over."""
    advocates: dict[str, str] = {}
    for part in _BETWEEN.split(listed):
        name_and_priority = _SAYS.split(part.strip(), maxsplit=1)
        if len(name_and_priority) != 2:
            # Prose between the advocates is allowed; people write sentences.
            continue
        name, priority = re.sub(r"^and\s+", "", name_and_priority[0].strip()), name_and_priority[1].strip()
        if not name or not priority:
            continue
        if name in advocates:
            raise ScenarioError(f"the prompt:{_find_line(text, name)}: the advocate {name!r} is named twice.")
        advocates[name] = priority
    return advocates


def _check_advocates(text: str, advocates: dict[str, str]) -> None:
    """Raise ScenarioError where they are too few, or a name could be taken for something else in the ledger."""
    if len(advocates) < 2:
        raise ScenarioError(
            "the prompt:1: a negotiation takes at least two advocates. Name them as `CC=Reliability, CX=Speed` or "
            "`CC advocates Reliability, CX advocates Speed`, or with --advocate NAME=Priority."
        )
    for name in advocates:
        # A name becomes a block of the ledger, `[ADVOCATE - NAME]`, and must not end it or pass for the mediator's.
        if any(c in "[]:" or ord(c) < 32 for c in name) or name.casefold() in ("mediator", "engine"):
            raise ScenarioError(
                f"the prompt:{_find_line(text, name)}: an advocate cannot be called {name!r}: brackets, colons and the "
                "names mediator and engine have a meaning in the ledger."
            )


def _split_topic(body: str) -> tuple[str, str]:
    """The topic, and the list of advocates: it begins with the name before the first `=` or `advocates`."""
    marker = _SAYS.search(body)
    if marker is None:
        return " ".join(body.split()).strip(" .:,;"), ""
    # The topic ends at the last boundary before the first advocate: it may hold full stops itself.
    start = max((m.end() for m in _BOUNDARY.finditer(body, 0, marker.start())), default=-1)
    if start < 0:
        # Without any boundary the word before the mark is the name, and what stands before it is the topic.
        start = len(body[: marker.start()].rstrip()) - len(body[: marker.start()].split()[-1]) if marker.start() else 0
    return " ".join(body[:start].split()).strip(" .:,;"), body[start:]


def _find_line(text: str, part: str) -> int:
    return text[: max(0, text.find(part))].count("\n") + 1
