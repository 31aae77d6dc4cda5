"""For people: plain text, and Markdown for a comment on a pull request."""

from __future__ import annotations

import json
from typing import Any

from graphbus_core.findings.codes import CODES
from graphbus_core.findings.finding import Finding, Level
from graphbus_core.findings.judged import Judged
from graphbus_core.shown import counted, shortened, shown

SIGN = {Level.ERROR: "✗", Level.WARNING: "!", Level.NOTE: "·"}
MOST_PAYLOAD = 2_000


def payload(value: Any, most: int = MOST_PAYLOAD) -> str:
    """A payload in one line, cut where nobody would read on."""
    return shortened(json.dumps(value, ensure_ascii=False), most)


def text(judged: Judged) -> str:
    """What a person reads in a terminal."""
    blocks = [finding_text(one) for one in judged.counted]
    return shown("\n\n".join([*blocks, summary(judged)]))


def finding_text(one: Finding) -> str:
    """One finding, as a person reads it in a terminal."""
    return "\n".join(_lines(one))


def _lines(one: Finding) -> list[str]:
    head = f"{SIGN[one.level]} {one.code} {one.message}"
    lines = [f"{one.place}: {head}" if one.place else head]
    lines += [f"    {reason}" for reason in one.reasons]
    if one.has_payload:
        lines.append(f"    payload: {payload(one.payload)}")
    lines += [f"    {other.file}:{other.line}: {other.message}" for other in one.related]
    if one.fix:
        lines.append(f"    fix: {one.fix}")
    return lines


def summary(judged: Judged) -> str:
    """The numbers, in a line."""
    count = {level: sum(one.level is level for one in judged.counted) for level in Level}
    parts = [counted(number, level.value) for level, number in count.items() if number]
    silenced = [(len(judged.ignored), "ignored"), (len(judged.kept), "in the baseline")]
    more = ", ".join(f"{number} {what}" for number, what in silenced if number)
    return f"{', '.join(parts) or 'Nothing found'}{f' ({more})' if more else ''}."


def markdown(judged: Judged) -> str:
    """A comment for a pull request: a table, and each payload folded away."""
    lines = [f"### GraphBus: {summary(judged)}"]
    if judged.counted:
        lines += ["", "| | code | where | what |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {SIGN[one.level]} | {_code(one.code)} | {_cell(one.place)} | {_cell(one.message)} |"
            for one in judged.counted
        ]
    for one in judged.counted:
        if one.has_payload or one.reasons:
            lines += ["", f"<details><summary>{one.code}: {_escaped(one.subject or one.message)}</summary>", ""]
            lines += [f"- {_escaped(reason)}" for reason in one.reasons]
            if one.has_payload:
                # Cut after it was written and not before: a cut value would be shown as JSON that is not one, and say
                # something else.
                fence = _fence(body := json.dumps(one.payload, ensure_ascii=False, indent=2)[:MOST_PAYLOAD])
                lines += ["", f"{fence}json", body, fence]
            lines += ["", "</details>"]
    return shown("\n".join(lines) + "\n")


def _code(name: str) -> str:
    return f"[{name}]({CODES[name].address})"


# A project's names come from its authors, who need not be those who read the comment: an `<img>` would be loaded.
def _escaped(text: str) -> str:
    """Words of a project, which may hold marks that Markdown or HTML obeys."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("`", "\\`").replace("*", "\\*").replace("[", "\\[").replace("\n", " ")


def _cell(text: str) -> str:
    return _escaped(text).replace("|", "\\|")


def _fence(body: str) -> str:
    """A fence that the payload cannot close."""
    fence = "```"
    while fence in body:
        fence += "`"
    return fence
