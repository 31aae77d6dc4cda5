"""One judged run, printed for whoever reads it: a person, a program, a code host, a build server."""

from __future__ import annotations

from collections.abc import Callable

from graphbus_core.errors import UsageError
from graphbus_core.findings.judged import Judged
from graphbus_core.findings.render import hosts, reports, words

FORMATS: dict[str, Callable[[Judged], str]] = {
    "text": words.text,
    "json": reports.as_json,
    "sarif": reports.sarif,
    "github": hosts.github,
    "junit": reports.junit,
    "markdown": words.markdown,
}


def render(judged: Judged, form: str) -> str:
    """The run in a format of FORMATS. Raises UsageError for another."""
    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}; use {', '.join(FORMATS)}.")
    return FORMATS[form](judged)
