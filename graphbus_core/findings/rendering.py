"""One judged run, printed for whoever reads it: a person, a program, a code host, a build server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from graphbus_core.errors import UsageError
from graphbus_core.findings.codes import CODES
from graphbus_core.findings.finding import Finding, Level
from graphbus_core.findings.suppressions import Ignore, Report
from graphbus_core.text import escape_text, format_count, shorten

# For people: plain text, and Markdown for a comment on a pull request.


SIGN = {Level.ERROR: "✗", Level.WARNING: "!", Level.NOTE: "·"}
MOST_PAYLOAD = 2_000


def render_payload(value: Any, most: int = MOST_PAYLOAD) -> str:
    """A payload in one line, cut where nobody would read on."""
    return shorten(json.dumps(value, ensure_ascii=False), most)


def render_text(report: Report) -> str:
    """What a person reads in a terminal."""
    blocks = [render_finding(finding) for finding in report.counted]
    return escape_text("\n\n".join([*blocks, render_summary(report)]))


def render_finding(finding: Finding) -> str:
    """One finding, as a person reads it in a terminal."""
    return "\n".join(_render_lines(finding))


def _render_lines(finding: Finding) -> list[str]:
    head = f"{SIGN[finding.level]} {finding.code} {finding.message}"
    lines = [f"{finding.place}: {head}" if finding.place else head]
    lines += [f"    {reason}" for reason in finding.reasons]
    if finding.has_payload:
        lines.append(f"    payload: {render_payload(finding.payload)}")
    lines += [f"    {other.file}:{other.line}: {other.message}" for other in finding.related]
    if finding.fix:
        lines.append(f"    fix: {finding.fix}")
    return lines


def render_summary(report: Report) -> str:
    """The numbers, in a line."""
    count = {level: sum(finding.level is level for finding in report.counted) for level in Level}
    parts = [format_count(number, level.value) for level, number in count.items() if number]
    silenced = [(len(report.ignored), "ignored"), (len(report.kept), "in the baseline")]
    more = ", ".join(f"{number} {what}" for number, what in silenced if number)
    return f"{', '.join(parts) or 'Nothing found'}{f' ({more})' if more else ''}."


def render_markdown(report: Report) -> str:
    """A comment for a pull request: a table, and each payload folded away."""
    lines = [f"### GraphBus: {render_summary(report)}"]
    if report.counted:
        lines += ["", "| | code | where | what |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {SIGN[finding.level]} | {_link_code(finding.code)} | {_escape_cell(finding.place)} | "
            f"{_escape_cell(finding.message)} |"
            for finding in report.counted
        ]
    for finding in report.counted:
        if finding.has_payload or finding.reasons:
            lines += [
                "",
                f"<details><summary>{finding.code}: {_escape_markdown(finding.subject or finding.message)}</summary>",
                "",
            ]
            lines += [f"- {_escape_markdown(reason)}" for reason in finding.reasons]
            if finding.has_payload:
                # Cut after it was written and not before: a cut value would be shown as JSON that is not one, and say
                # something else.
                fence = _make_fence(body := json.dumps(finding.payload, ensure_ascii=False, indent=2)[:MOST_PAYLOAD])
                lines += ["", f"{fence}json", body, fence]
            lines += ["", "</details>"]
    return escape_text("\n".join(lines) + "\n")


def _link_code(name: str) -> str:
    return f"[{name}]({CODES[name].address})"


# A project's names come from its authors, who need not be those who read the comment: an `<img>` would be loaded.
def _escape_markdown(text: str) -> str:
    """Words of a project, which may hold marks that Markdown or HTML obeys."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("`", "\\`").replace("*", "\\*").replace("[", "\\[").replace("\n", " ")


def _escape_cell(text: str) -> str:
    return _escape_markdown(text).replace("|", "\\|")


def _make_fence(body: str) -> str:
    """A fence that the payload cannot close."""
    fence = "```"
    while fence in body:
        fence += "`"
    return fence


# For GitHub's runners: workflow commands, which appear beside the line in a pull request.
#
# The form is that of "Workflow commands for GitHub Actions": properties escape `%`, CR, LF, `:` and `,`; messages the
# first three.


COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render_github(report: Report) -> str:
    """One command for each finding, and the numbers as plain text."""
    return "\n".join([*map(_render_command, report.counted), render_summary(report)])


def _render_command(finding: Finding) -> str:
    # No line without a file: GitHub shows such a command at the head of the run, which is where it belongs.
    properties = {
        "file": finding.file,
        "line": str(finding.line) if finding.file else "",
        "title": f"GraphBus {finding.code}",
    }
    properties_text = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items() if value)
    lines = [finding.message, *finding.reasons]
    if finding.has_payload:
        lines.append(f"payload: {render_payload(finding.payload)}")
    # `shown` first: a control character of a project's own text could begin a command of its own in the runner's log.
    return f"::{COMMAND[finding.level]} {properties_text}::{_escape_data(escape_text(chr(10).join(lines)))}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")


# For programs: JSON of our own, SARIF 2.1.0 for code scanning, JUnit XML for build servers.


SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PAGE = "https://github.com/graphbus/graphbus-core"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_json(report: Report) -> str:
    """Findings and numbers; what is silenced is told too, so that a program can show it."""
    # Silenced findings are told apart and not left out: a program that shows none of them would hide what was
    # decided.
    data = {
        "ok": not report.fails,
        "findings": [finding.to_dict() for finding in report.counted],
        "ignored": [{**finding.to_dict(), "reason": why.reason} for finding, why in report.ignored],
        "baseline": [finding.to_dict() for finding in report.kept],
    }
    return json.dumps(data, ensure_ascii=False)


def render_sarif(report: Report) -> str:
    """SARIF 2.1.0: a rule for each code that occurs; silenced findings stand there with their suppression (§3.35)."""
    from graphbus_core import __version__

    every = [*report.counted, *(finding for finding, _ in report.ignored), *report.kept]
    codes = sorted({finding.code for finding in every})
    results = [_build_result(finding, codes) for finding in report.counted]
    results += [_build_result(finding, codes, _build_suppression(why)) for finding, why in report.ignored]
    results += [
        _build_result(finding, codes, {"kind": "external", "justification": "in the baseline"})
        for finding in report.kept
    ]
    driver = {
        "name": "GraphBus",
        "version": __version__,
        "informationUri": PAGE,
        "rules": [_build_rule(code) for code in codes],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    # Columns are counted in code points, as Python counts them; a viewer would otherwise mark the wrong letters after
    # an emoji.
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)


def _build_rule(name: str) -> dict[str, Any]:
    code = CODES[name]
    return {
        "id": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.means},
        "help": {"text": f"{code.means} {code.do}"},
        "helpUri": code.address,
        "defaultConfiguration": {"level": code.level.value},
    }


def _build_result(finding: Finding, codes: list[str], suppressed: dict[str, str] | None = None) -> dict[str, Any]:
    words = [
        finding.message,
        *finding.reasons,
        *([f"payload: {render_payload(finding.payload)}"] if finding.has_payload else []),
    ]
    data: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level.value,
        "message": {"text": "\n".join(words)},
        # Code hosts follow a finding over commits by this. Without it each moved line closes an alert and opens
        # another.
        "partialFingerprints": {"graphbus/v1": finding.fingerprint},
    }
    if finding.file:
        data["locations"] = [_build_location(finding.file, finding.line)]
    if finding.related:
        data["relatedLocations"] = [
            {**_build_location(other.file, other.line), "id": number, "message": {"text": other.message}}
            for number, other in enumerate(finding.related)
        ]
    if finding.has_payload:
        data["properties"] = {"payload": finding.payload}
    if suppressed is not None:
        data["suppressions"] = [suppressed]
    return data


def _build_location(file: str, line: int) -> dict[str, Any]:
    physical_location = {"artifactLocation": {"uri": quote(file)}, "region": {"startLine": max(1, line)}}
    return {"physicalLocation": physical_location}


def _build_suppression(why: Ignore) -> dict[str, str]:
    return {"kind": "inSource" if why.lines else "external", "justification": why.reason}


def render_junit(report: Report) -> str:
    """JUnit XML as build servers read it: a test case a finding; errors fail, others and silenced are skipped."""
    cases = [
        _render_case(finding, "failure" if finding.level is Level.ERROR else "skipped") for finding in report.counted
    ]
    cases += [_render_case(finding, "skipped") for finding in (*(f for f, _ in report.ignored), *report.kept)]
    failures = sum(finding.level is Level.ERROR for finding in report.counted)
    # An empty suite reads as "the tests did not run". One case that passed says that they did.
    if not cases:
        cases = ['    <testcase classname="graphbus" name="no findings" time="0"/>']
    numbers = (
        f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{_count_skipped(report, failures)}" time="0"'
    )
    body = "\n".join(cases)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="graphbus" tests="{len(cases)}" failures="{failures}" errors="0" time="0">\n'
        f'  <testsuite name="graphbus" {numbers}>\n{body}\n  </testsuite>\n</testsuites>\n'
    )


def _count_skipped(report: Report, failures: int) -> int:
    return len(report.counted) - failures + len(report.ignored) + len(report.kept)


def _render_case(finding: Finding, kind: str) -> str:
    from xml.sax.saxutils import escape  # only here: it brings urllib.request, ssl and email, 17 ms in every build

    words = [
        *finding.reasons,
        *([f"payload: {render_payload(finding.payload)}"] if finding.has_payload else []),
        finding.place,
    ]
    name = _quote_attribute(f"{finding.code} {finding.subject or finding.message}")
    element = f"<{kind} message={_quote_attribute(finding.message)}"
    # `skipped` has no text in the schema that build servers share.
    element += (
        f' type="{finding.code}">{escape(_escape_xml(chr(10).join(words)))}</failure>' if kind == "failure" else "/>"
    )
    return (
        f"    <testcase classname={_quote_attribute(finding.file or 'graphbus')} name={name} "
        f'time="0">{element}</testcase>'
    )


def _escape_xml(text: str) -> str:
    """Characters that XML 1.0 cannot hold, written out."""
    # XML has no way to hold them at all, not even escaped. Shown as hex, the finding still arrives.
    return _NOT_XML.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def _quote_attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # only here, as in `_render_case`

    # A literal newline in an attribute is read back as a space.
    return quoteattr(_escape_xml(text)).replace("\n", "&#10;")


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": render_text,
    "json": render_json,
    "sarif": render_sarif,
    "github": render_github,
    "junit": render_junit,
    "markdown": render_markdown,
}


def render(report: Report, form: str) -> str:
    """The run in a format of FORMATS. Raises UsageError for another."""
    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}; use {', '.join(FORMATS)}.")
    return FORMATS[form](report)
