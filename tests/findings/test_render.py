"""Each format holds every finding, also with words that the format itself would obey."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from graphbus_core.errors import UsageError
from graphbus_core.findings import FORMATS, Finding, Level, Related, Report, render
from graphbus_core.findings.suppressions import Ignore

NASTY = "a|b <b>`x`</b> \x1b[31m ::error:: 100% \n```\n]]> & \ud800 \x00"
ERROR = Finding(
    "GB101",
    f"A may send {NASTY}",
    "shop/cart, old:1.py",
    7,
    "A => B",
    reasons=(NASTY,),
    payload={"text": NASTY.replace("\ud800", ""), "n": None},
    has_payload=True,
    related=(Related("A sends it", "shop/a.py", 2),),
    fix="rename",
)
WARNING = Finding("GB901", "nothing", "shop/a.py", 1, "x", Level.WARNING)
NOTE = Finding("GB105", "two ways", subject="y", level=Level.NOTE)
KEPT = Finding("GB103", "gone", "shop/b.py", 3, "z")
IGNORED = (Finding("GB102", "who knows", "shop/c.py", 4, "u"), Ignore(("GB102",), "shop/c.py", (4,), reason="later"))
RUN = Report((ERROR, WARNING, NOTE), (IGNORED,), (KEPT,))


def test_sarif_says_rules_places_payloads_and_suppressions() -> None:
    """A result for each finding; silenced ones with why; rules in the order that indexes name."""
    (run,) = json.loads(render(RUN, "sarif"))["runs"]
    results = run["results"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [r["ruleId"] for r in results] == ["GB101", "GB901", "GB105", "GB102", "GB103"]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in results)
    assert [r["level"] for r in results] == ["error", "warning", "note", "error", "error"]
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "shop/cart%2C%20old%3A1.py"
    assert place["region"] == {"startLine": 7}
    assert "locations" not in results[2]
    assert results[0]["properties"]["payload"] == ERROR.payload
    assert results[3]["suppressions"] == [{"kind": "inSource", "justification": "later"}]
    assert results[4]["suppressions"][0]["kind"] == "external"


def test_junit_is_xml_whose_numbers_are_its_cases() -> None:
    """Errors fail; warnings, notes and silenced findings are skipped; characters that XML cannot hold are written."""
    root = ET.fromstring(render(RUN, "junit"))
    suite = root[0]
    cases = suite.findall("testcase")
    assert (len(cases), len(suite.findall("testcase/failure")), len(suite.findall("testcase/skipped"))) == (5, 1, 4)
    assert {k: suite.get(k) for k in ("tests", "failures", "skipped", "errors")} == {
        "tests": "5",
        "failures": "1",
        "skipped": "4",
        "errors": "0",
    }
    assert "payload" in (suite.findall("testcase/failure")[0].text or "")


def test_junit_of_nothing_has_one_case_that_passed() -> None:
    """A build server takes an empty suite for a broken one."""
    root = ET.fromstring(render(Report(()), "junit"))
    assert len(root[0]) == 1
    assert root.get("failures") == "0"


def test_github_commands_are_one_line_each_and_escape_their_own_marks() -> None:
    """No text of a finding can start a command of its own."""
    lines = render(RUN, "github").splitlines()
    assert [line.split(" ")[0] for line in lines[:3]] == ["::error", "::warning", "::notice"]
    assert lines[0].startswith("::error file=shop/cart%2C old%3A1.py,line=7,title=GraphBus GB101::A may send")
    assert len(lines) == 4
    assert "file=" not in lines[2]


def test_markdown_keeps_its_table_whole() -> None:
    """Words with pipes, tags and fences stay words."""
    text = render(RUN, "markdown")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 5
    assert not any("<b>" in row for row in rows)
    assert "\x1b" not in text


def test_text_shows_place_code_payload_and_both_ends() -> None:
    """What a person needs, in the order in which it is needed."""
    text = render(RUN, "text")
    assert "shop/cart, old:1.py:7: ✗ GB101" in text
    assert "payload: {" in text
    assert "shop/a.py:2: A sends it" in text
    assert text.endswith("1 error, 1 warning, 1 note (1 ignored, 1 in the baseline).")
    assert "\x1b" not in text


def test_json_tells_what_counts_and_what_is_silenced() -> None:
    """For a program that shows both."""
    told = json.loads(render(RUN, "json"))
    assert (told["ok"], len(told["findings"]), len(told["ignored"]), len(told["baseline"])) == (False, 3, 1, 1)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_can_say_nothing_and_be_encoded(form: str) -> None:
    """Half a character of a hostile name must not stop a report."""
    assert render(Report(()), form)
    render(RUN, form).encode("utf-8", "strict" if form not in ("json", "sarif") else "surrogatepass")


def test_another_format_is_refused() -> None:
    """With the list."""
    with pytest.raises(UsageError, match="sarif"):
        render(RUN, "xml")
