"""For programs: JSON of our own, SARIF 2.1.0 for code scanning, JUnit XML for build servers."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from graphbus_core.findings.codes import CODES
from graphbus_core.findings.finding import Finding, Level
from graphbus_core.findings.ignores import Ignore
from graphbus_core.findings.judged import Judged
from graphbus_core.findings.render.words import payload

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PAGE = "https://github.com/graphbus/graphbus-core"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(judged: Judged) -> str:
    """Findings and numbers; what is silenced is told too, so that a program can show it."""
    # Silenced findings are told apart and not left out: a program that shows none of them would hide what was
    # decided.
    told = {
        "ok": not judged.fails,
        "findings": [one.to_dict() for one in judged.counted],
        "ignored": [{**one.to_dict(), "reason": why.reason} for one, why in judged.ignored],
        "baseline": [one.to_dict() for one in judged.kept],
    }
    return json.dumps(told, ensure_ascii=False)


def sarif(judged: Judged) -> str:
    """SARIF 2.1.0: a rule for each code that occurs; silenced findings stand there with their suppression (§3.35)."""
    from graphbus_core import __version__

    every = [*judged.counted, *(one for one, _ in judged.ignored), *judged.kept]
    codes = sorted({one.code for one in every})
    results = [_result(one, codes) for one in judged.counted]
    results += [_result(one, codes, _suppressed(why)) for one, why in judged.ignored]
    results += [_result(one, codes, {"kind": "external", "justification": "in the baseline"}) for one in judged.kept]
    driver = {
        "name": "GraphBus",
        "version": __version__,
        "informationUri": PAGE,
        "rules": [_rule(code) for code in codes],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    # Columns are counted in code points, as Python counts them; a viewer would otherwise mark the wrong letters after
    # an emoji.
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)


def _rule(name: str) -> dict[str, Any]:
    code = CODES[name]
    return {
        "id": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.means},
        "help": {"text": f"{code.means} {code.do}"},
        "helpUri": code.address,
        "defaultConfiguration": {"level": code.level.value},
    }


def _result(one: Finding, codes: list[str], suppressed: dict[str, str] | None = None) -> dict[str, Any]:
    words = [one.message, *one.reasons, *([f"payload: {payload(one.payload)}"] if one.has_payload else [])]
    told: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": codes.index(one.code),
        "level": one.level.value,
        "message": {"text": "\n".join(words)},
        # Code hosts follow a finding over commits by this. Without it each moved line closes an alert and opens
        # another.
        "partialFingerprints": {"graphbus/v1": one.fingerprint},
    }
    if one.file:
        told["locations"] = [_location(one.file, one.line)]
    if one.related:
        told["relatedLocations"] = [
            {**_location(other.file, other.line), "id": number, "message": {"text": other.message}}
            for number, other in enumerate(one.related)
        ]
    if one.has_payload:
        told["properties"] = {"payload": one.payload}
    if suppressed is not None:
        told["suppressions"] = [suppressed]
    return told


def _location(file: str, line: int) -> dict[str, Any]:
    at = {"artifactLocation": {"uri": quote(file)}, "region": {"startLine": max(1, line)}}
    return {"physicalLocation": at}


def _suppressed(why: Ignore) -> dict[str, str]:
    return {"kind": "inSource" if why.lines else "external", "justification": why.reason}


def junit(judged: Judged) -> str:
    """JUnit XML as build servers read it: a test case a finding; errors fail, others and silenced are skipped."""
    cases = [_case(one, "failure" if one.level is Level.ERROR else "skipped") for one in judged.counted]
    cases += [_case(one, "skipped") for one in (*(f for f, _ in judged.ignored), *judged.kept)]
    failures = sum(one.level is Level.ERROR for one in judged.counted)
    # An empty suite reads as "the tests did not run". One case that passed says that they did.
    if not cases:
        cases = ['    <testcase classname="graphbus" name="no findings" time="0"/>']
    numbers = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{_skipped(judged, failures)}" time="0"'
    body = "\n".join(cases)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="graphbus" tests="{len(cases)}" failures="{failures}" errors="0" time="0">\n'
        f'  <testsuite name="graphbus" {numbers}>\n{body}\n  </testsuite>\n</testsuites>\n'
    )


def _skipped(judged: Judged, failures: int) -> int:
    return len(judged.counted) - failures + len(judged.ignored) + len(judged.kept)


def _case(one: Finding, kind: str) -> str:
    words = [*one.reasons, *([f"payload: {payload(one.payload)}"] if one.has_payload else []), one.place]
    name = _attribute(f"{one.code} {one.subject or one.message}")
    told = f"<{kind} message={_attribute(one.message)}"
    # `skipped` has no text in the schema that build servers share.
    told += f' type="{one.code}">{escape(_xml(chr(10).join(words)))}</failure>' if kind == "failure" else "/>"
    return f'    <testcase classname={_attribute(one.file or "graphbus")} name={name} time="0">{told}</testcase>'


def _xml(text: str) -> str:
    """Characters that XML 1.0 cannot hold, written out."""
    # XML has no way to hold them at all, not even escaped. Shown as hex, the finding still arrives.
    return _NOT_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _attribute(text: str) -> str:
    # A literal newline in an attribute is read back as a space.
    return quoteattr(_xml(text)).replace("\n", "&#10;")
