"""A red line in words made one that can be checked, and said back as what it excludes."""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.negotiation.consent.red_lines import boxes
from graphbus_core.negotiation.consent.red_lines.boxes import Box, Packages
from graphbus_core.negotiation.consent.scenario.model import Forbidden, Issue, Limit, RedLine

SHOWN = 6  # cases of one sentence that are said back; of more, how many there are
FORMS = (
    "`not above 300`, `at least 3 days`, `not before 15 March`, `only A or B`, `neither A nor B`, `no A with B`, "
    "`no A unless B`, `A only if B`, `if A, at most 200`, `nothing except A`"
)


def build_red_lines(owner: str, text: str, excluded: Packages, issues: Sequence[Issue]) -> tuple[RedLine, ...]:
    """The red lines that exclude just this: one for each case, all in the owner's words."""
    return tuple(RedLine(owner, _build_limit(box, issues) or Forbidden(dict(box)), text.strip()) for box in excluded)


def _build_limit(box: Box, issues: Sequence[Issue]) -> Limit | None:
    """The limit that a case is, where it excludes all numbers above, or below, those of one issue that are left."""
    if len(box) != 1:
        return None
    ((issue, options),) = box.items()
    numbers = issues[issue].numbers
    if numbers is None or len(options) == len(numbers):
        return None
    gone, left = [numbers[o] for o in options], [n for o, n in enumerate(numbers) if o not in options]
    if min(gone) > max(left):
        return Limit((issue,), None, max(left))
    return Limit((issue,), min(left), None) if max(gone) < min(left) else None


def describe_excluded(excluded: Packages, issues: Sequence[Issue]) -> str:
    """What is out, in words that name the options."""
    shape = tuple(len(i.options) for i in issues)
    size = 1
    for options in shape:
        size *= options
    out = boxes.count(excluded, shape)
    if not out:
        return f"none of {size} deals is out"
    cases = [_describe_case(box, issues) for box in excluded[:SHOWN]]
    more = [f"{len(excluded) - SHOWN} more cases"] if len(excluded) > SHOWN else []
    return f"{out} of {size} deals are out: {'; '.join([*cases, *more])}"


def _describe_case(box: Box, issues: Sequence[Issue]) -> str:
    parts = [
        f"{issues[i].name} is {' or '.join(issues[i].options[o] for o in sorted(options))}"
        for i, options in sorted(box.items())
    ]
    return f"every deal in which {' and '.join(parts)}" if parts else "every deal"
