"""For GitHub's runners: workflow commands, which appear beside the line in a pull request.

The form is that of "Workflow commands for GitHub Actions": properties escape `%`, CR, LF, `:` and `,`; messages the
first three.
"""

from __future__ import annotations

from graphbus_core.findings.finding import Finding, Level
from graphbus_core.findings.judged import Judged
from graphbus_core.findings.render.words import payload, summary
from graphbus_core.shown import shown

COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def github(judged: Judged) -> str:
    """One command for each finding, and the numbers as plain text."""
    return "\n".join([*map(_command, judged.counted), summary(judged)])


def _command(one: Finding) -> str:
    # No line without a file: GitHub shows such a command at the head of the run, which is where it belongs.
    properties = {"file": one.file, "line": str(one.line) if one.file else "", "title": f"GraphBus {one.code}"}
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    lines = [one.message, *one.reasons]
    if one.has_payload:
        lines.append(f"payload: {payload(one.payload)}")
    # `shown` first: a control character of a project's own text could begin a command of its own in the runner's log.
    return f"::{COMMAND[one.level]} {told}::{_data(shown(chr(10).join(lines)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
