"""How a prompt is put together: stable first, changing last, data fenced.

A prompt has three parts. The first is the same for the whole table: the rules and the form of every answer. The
second belongs to one agent and changes only when contracts or source do: its role, its card, its neighbours' cards.
The third is the question. Whatever came from source, peers or tools stands in a fenced block marked `data`, with a
fence longer than any inside it, so that it cannot be left from within.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.negotiation.core import Ask
from graphbus_core.participants.llm.words import prompts
from graphbus_core.participants.llm.words.registry import Facts, question_for


@dataclass(frozen=True)
class Prompt:
    """What is sent: `system` (same for the table), `stable` (this agent's), `changing` (this question)."""

    system: str
    stable: str
    changing: str

    @property
    def text(self) -> str:
        """All of it, as one text."""
        return "\n\n".join(part for part in (self.system, self.stable, self.changing) if part)

    def __len__(self) -> int:
        return len(self.text)


def fence(text: str, label: str) -> str:
    """`text` as data: in a fence longer than any run of backticks within it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    named = " ".join(label.split()).replace("`", "'")  # a name with backticks would make the fence none
    return f"{ticks}data {named}\n{text}\n{ticks}"


def write(ask: Ask, facts: Facts, refused: Iterable[str] = (), role: str = "", said: str = "") -> Prompt:
    """The prompt for one ask. `role` is the agent's SYSTEM_PROMPT where `about` has no card; `said` its last answer."""
    found = question_for(ask)
    card = ask.about.get("card")
    role = (card.get("system_prompt") if isinstance(card, Mapping) else None) or role
    role = str(role.get("text", "")) if isinstance(role, Mapping) else str(role)
    if found is None:
        system, know, tell = prompts.GENERIC_RULES, _instructions(ask), _generic(ask)
    else:
        family, question = found
        system, know, tell = family.unchanging(), family.know(ask.about), question.tell(ask, facts)
    stable = "\n\n".join(part for part in (_role(ask.to, role), know) if part)
    parts = [tell, _refused(tuple(refused), said), prompts.LAST_LINE.format(name=ask.to, kind=ask.kind)]
    return Prompt(system, stable, "\n\n".join(part for part in parts if part))


def _role(name: str, role: str) -> str:
    return prompts.ROLE.format(name=name, role=role.strip()).strip()


def _refused(reasons: tuple[str, ...], said: str) -> str:
    if not reasons:
        return ""
    listed = "\n".join(f"- {ends(r, prompts.REASON_MAX)}" for r in reasons)
    before = f"\n{fence(cut(said, prompts.REFUSED_MAX), 'your last answer')}" if said else ""
    return prompts.REFUSED.format(reasons=listed, before=before)


def cut(text: str, most: int = prompts.FIELD_MAX) -> str:
    """`text`, shortened where it is longer than `most` characters."""
    return text if len(text) <= most else text[:most] + " […]"


def ends(text: str, most: int = prompts.FIELD_MAX) -> str:
    """`text` with its middle left out where it is too long: what failed stands at the end of an error."""
    return text if len(text) <= most else f"{text[: most // 3]} […] {text[-(most - most // 3) :]}"


def lines(value: Any) -> str:
    """JSON in short lines: one entry a line, each cut."""
    if isinstance(value, list | tuple):
        return "\n".join(cut(compact(v)) for v in value)
    return cut(compact(value), 4 * prompts.FIELD_MAX)


def compact(value: Any) -> str:
    """JSON in as few characters as it takes; text as it is."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _instructions(ask: Ask) -> str:
    parts = [str(ask.about.get("instructions", "")).strip()]
    if isinstance(ask.about.get("answer"), Mapping):
        parts.append(f"The answer's JSON Schema: {compact(ask.about['answer'])}")
    return "\n\n".join(part for part in parts if part)


def _generic(ask: Ask) -> str:
    rest = {k: v for k, v in ask.about.items() if k not in ("instructions", "answer", "within_s")}
    return "\n\n".join(fence(lines(v), k) for k, v in rest.items() if v not in (None, "", [], {}))


def whom(text: str) -> tuple[str, str]:
    """(agent, kind) that a prompt's last line names; ("", "") where it is not a prompt of ours. For scripts."""
    found = re.findall(r"^Question for (\S+): (\S+)\. Answer with one json block\.$", text, re.MULTILINE)
    return found[-1] if found else ("", "")
