"""What is wrong, said once for every command: findings, what silences them, and six ways to print them.

    finding     Finding(code, message, file, line, …): what a command found, and the payload that proves it
    codes       the table of codes: title, level, what it means and what to do; `graphbus explain GB101`
    ignores     `# graphbus: ignore[GB101] until 2027-01 why` beside a line, and `ignore` in the settings
    baseline    a file of findings that were there before; a new one still stands out
    judged      findings + ignores + baseline -> what counts, what is silenced, what silences nothing any more
    render      text | json | sarif | github | junit | markdown

`validate` and `contracts` make findings; this room knows neither of them, and reads no source but for its comments.
"""

from graphbus_core.findings.finding import Finding, Level, Related
from graphbus_core.findings.rendering import FORMATS, render
from graphbus_core.findings.suppressions import Report, judge

__all__ = ["FORMATS", "Finding", "Level", "Related", "Report", "judge", "render"]
