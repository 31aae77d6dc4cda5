"""Findings: what silences them, what is told when it silences nothing any more, and that a code means one thing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.errors import ConfigError, UsageError
from graphbus_core.findings import Finding, Level, Report, judge
from graphbus_core.findings.codes import CODES, find_code, render_pages
from graphbus_core.findings.suppressions import parse_last_day, read_baseline, read_configured_ignores, render_baseline

DAY = date(2026, 12, 31)
DOCS = Path(__file__).parents[2] / "docs"


def finding(line: int = 3, **more: Any) -> Finding:
    """One that stands at a line of shop.py."""
    return Finding("GB101", "A.get may send what B.use rejects", "shop.py", line, "A.get => B.use", **more)


def judged(text: str, found: Iterable[Finding] = (finding(),), day: date = DAY) -> Report:
    """Findings of shop.py against its text."""
    return judge(found, today=day, sources=["shop.py"], read=lambda file: text)


def codes(result: Report) -> list[str]:
    """The codes that count."""
    return [one.code for one in result.counted]


def test_a_comment_on_the_line_silences_with_a_reason() -> None:
    """The finding is told as ignored, not lost."""
    result = judged("a\nb\nx = 1  # graphbus: ignore[GB101] known since May\n")
    assert codes(result) == []
    assert [(one.code, why.reason) for one, why in result.ignored] == [("GB101", "known since May")]
    assert not result.fails


def test_a_comment_alone_counts_for_the_next_line_of_code() -> None:
    """Blank lines and further comments in between do not matter."""
    assert codes(judged("# graphbus: ignore[GB101] why\n\nx = 1\n")) == []
    assert codes(judged("# graphbus: ignore[GB101] why\ny = 1\nx = 1\n")) == ["GB901", "GB101"]


def test_a_comment_on_the_producers_line_counts_too() -> None:
    """A finding has two ends."""
    from graphbus_core.findings import Related

    other = finding(9, related=(Related("A.get sends it", "shop.py", 3),))
    assert codes(judged("a\nb\nx = 1  # graphbus: ignore[GB101] why\n", [other])) == []


@pytest.mark.parametrize(
    "comment",
    [
        "graphbus: ignore why",
        "graphbus: ignore[GB999] why",
        "graphbus: ignore[GB101]",
        "graphbus: ignore[GB101] until x y",
    ],
)
def test_an_ignore_that_says_too_little_silences_nothing(comment: str) -> None:
    """No code, an unknown one, no reason, no date."""
    assert codes(judged(f"a\nb\nx = 1  # {comment}\n")) == ["GB101", "GB904"]


def test_an_ignore_in_a_string_is_none() -> None:
    """Only comments count."""
    assert codes(judged('a\nb\nx = "# graphbus: ignore[GB101] why"\n')) == ["GB101"]


def test_an_expired_ignore_brings_its_finding_back_and_says_so() -> None:
    """`until 2026-12` holds through the last day of December."""
    text = "a\nb\nx = 1  # graphbus: ignore[GB101] until 2026-12 why\n"
    assert codes(judged(text)) == []
    assert codes(judged(text, day=date(2027, 1, 1))) == ["GB101", "GB902"]


def test_an_ignore_that_nothing_needs_is_a_warning() -> None:
    """It does not fail a run."""
    result = judged("x = 1  # graphbus: ignore[GB101] why\n", [])
    assert codes(result) == ["GB901"]
    assert not result.fails


def test_a_baseline_keeps_what_was_there_and_moves_with_its_lines(tmp_path: Path) -> None:
    """The fingerprint knows no line; what is new counts; what is gone is told."""
    file = tmp_path / "base.json"
    file.write_text(render_baseline([finding(), finding(5, level=Level.ERROR)]))
    kept = read_baseline(file)
    new = Finding("GB103", "gone", "shop.py", 1, "B.use -> C.x")
    result = judge([finding(77), new], today=DAY, baseline=kept)
    assert codes(result) == ["GB103"]
    assert len(result.kept) == 1
    assert codes(judge([], today=DAY, baseline=kept)) == ["GB903"]


@pytest.mark.parametrize("text", ["", "[]", '{"version": 9, "findings": []}', '{"version": 1, "findings": [{}]}'])
def test_a_file_that_is_no_baseline_ends_in_a_sentence(tmp_path: Path, text: str) -> None:
    """Never a traceback, and never an empty baseline."""
    file = tmp_path / "base.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"base\.json"):
        read_baseline(file)


def test_ignores_of_the_settings_take_files_subjects_and_dates() -> None:
    """By folder, by glob on the subject; each must give a reason."""
    (one,) = read_configured_ignores(
        [{"code": "gb101", "files": "legacy", "subject": "A.*", "reason": "r", "until": "2026-12"}]
    )
    assert one.matches(Finding("GB101", "m", "legacy/x.py", 3, "A.get => B.use"))
    assert not one.matches(Finding("GB101", "m", "legacyx.py", 3, "A.get => B.use"))
    assert not one.matches(Finding("GB101", "m", "legacy/x.py", 3, "B.get => B.use"))
    for wrong in ({"code": "GB101"}, {"code": "GB1", "reason": "r"}, {"code": "GB101", "reason": "r", "till": "2026"}):
        with pytest.raises(ConfigError):
            read_configured_ignores([wrong])


def test_dates_that_are_none() -> None:
    """A month, or a day."""
    assert parse_last_day("2024-02") == date(2024, 2, 29)
    assert [parse_last_day(text) for text in ("2026", "2026-13", "2026-02-30", "soon")] == [None] * 4


def test_every_code_has_a_page_and_the_docs_hold_them() -> None:
    """`docs/findings.md` is the table, word for word."""
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == render_pages()
    assert all(one.code == name and one.means and one.do for name, one in CODES.items())


def test_an_unknown_code_names_the_nearest() -> None:
    """Case does not matter."""
    assert find_code("gb101").code == "GB101"
    with pytest.raises(UsageError, match="Did you mean GB1"):
        find_code("GB10")


def test_a_finding_survives_its_json_form() -> None:
    """Also a payload of `null`, which is not the same as none."""
    for one in (
        finding(),
        finding(has_payload=True),
        finding(payload={"a": 1}, has_payload=True, reasons=("r",), fix="f"),
    ):
        assert Finding.from_dict(one.to_dict()) == one
