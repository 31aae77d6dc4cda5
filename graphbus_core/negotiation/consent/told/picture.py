"""Two pictures as one SVG: each advocate's satisfaction over the proposals, and the frontier with the agreement on it.

Satisfaction is the share of the way from an advocate's minimum (0) to the best it could have (1). The frontier is
drawn over the mean share and the least share, which say the same for two parties as for nine.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from graphbus_core.negotiation.consent.optimum.best import frontier, is_separable
from graphbus_core.negotiation.consent.scenario.scenario import Advocate, Outcome, Scenario

# Nine that people can tell apart; the tenth seat begins again with the first.
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f")
WIDTH, HEIGHT, MARGIN, LEGEND = 360, 220, 34, 16
FRONTIER_POINTS = 600


def share(seat: Advocate, outcome: Outcome) -> float:
    """How satisfied an advocate is, 0 at its minimum, 1 at its best; below 0 where its minimum is not met."""
    least = seat.floor
    top = seat.ceiling
    # Nothing to gain is all of it: such a seat is content with any deal.
    return (seat.score(outcome) - least) / (top - least) if top > least else 1.0


def picture(scenario: Scenario, tabled: Sequence[Outcome], agreement: Outcome | None) -> str | None:
    """The SVG, or None where there are no scores to draw."""
    seats = scenario.scored
    if not seats:
        return None
    height = HEIGHT + LEGEND * ((len(seats) + 2) // 3) + 10
    size = f'width="{2 * WIDTH}" height="{height}" viewBox="0 0 {2 * WIDTH} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11" role="img">',
        # Escaped and cut: the topic comes from a file, and this is shown by browsers.
        f"<title>{escape(scenario.topic[:200])}</title>",
        f'<rect width="{2 * WIDTH}" height="{height}" fill="#ffffff"/>',
        *_lines(seats, tabled),
        *_frontier(scenario, seats, agreement),
    ]
    for n, seat in enumerate(seats):
        x, y = MARGIN + (n % 3) * 220, HEIGHT + LEGEND * (n // 3) + 8
        colour = COLOURS[n % len(COLOURS)]
        parts.append(f'<rect x="{x}" y="{y - 8}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="{y + 1}">{escape(seat.name[:32])}</text>')
    return "\n".join([*parts, "</svg>"])


def _axes(left: int, title: str, below: str) -> list[str]:
    x0, x1, y0, y1 = left + MARGIN, left + WIDTH - 12, HEIGHT - MARGIN, 24
    return [
        f'<text x="{x0}" y="14" font-weight="bold">{title}</text>',
        f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y0}" stroke="#444"/>',
        f'<line x1="{x0}" y1="{y0}" x2="{x0}" y2="{y1}" stroke="#444"/>',
        f'<text x="{x0 - 8}" y="{y0 + 4}" text-anchor="end">0</text>',
        f'<text x="{x0 - 8}" y="{y1 + 4}" text-anchor="end">1</text>',
        f'<text x="{(x0 + x1) // 2}" y="{y0 + 22}" text-anchor="middle">{below}</text>',
    ]


def _place(left: int, x: float, y: float) -> tuple[float, float]:
    # A little below nought is drawn, so that a minimum that is not met can be seen.
    x, y = min(1.0, max(0.0, x)), min(1.0, max(-0.08, y))
    x0, x1, y0, y1 = left + MARGIN, left + WIDTH - 12, HEIGHT - MARGIN, 24
    # One decimal: the file stays the same on machines whose last digits differ.
    return round(x0 + x * (x1 - x0), 1), round(y0 + y * (y1 - y0), 1)


def _lines(seats: Sequence[Advocate], tabled: Sequence[Outcome]) -> list[str]:
    out = _axes(0, "Satisfaction with the proposal on the table", "proposals, in order")
    for n, seat in enumerate(seats):
        points = [_place(0, i / max(1, len(tabled) - 1), share(seat, outcome)) for i, outcome in enumerate(tabled)]
        colour = COLOURS[n % len(COLOURS)]
        if len(points) > 1:
            path = " ".join(f"{x},{y}" for x, y in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out.extend(f'<circle cx="{x}" cy="{y}" r="2.2" fill="{colour}"/>' for x, y in points)
    return out


def _frontier(scenario: Scenario, seats: Sequence[Advocate], agreement: Outcome | None) -> list[str]:
    out = _axes(WIDTH, "Efficient outcomes, and the agreement", "mean satisfaction (up: the least one)")
    # Enumerating beyond a million takes seconds, and the picture would hold up the document.
    quick = scenario.size <= 1_000_000 or is_separable(scenario)
    found = frontier(scenario, at_most=FRONTIER_POINTS) if quick else None
    for outcome, _ in found.points if found is not None else ():
        x, y = _spot(seats, outcome)
        out.append(f'<circle cx="{x}" cy="{y}" r="2" fill="#b0b0b0"/>')
    if found is None or not found.complete:
        out.append(f'<text x="{WIDTH + MARGIN + 8}" y="40" fill="#777">the frontier is too large to draw</text>')
    if agreement is not None:
        x, y = _spot(seats, agreement)
        out.append(f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="#d62728" stroke-width="2"/>')
        out.append(f'<text x="{x + 8}" y="{y + 4}" fill="#d62728">agreed</text>')
    return out


def _spot(seats: Sequence[Advocate], outcome: Outcome) -> tuple[float, float]:
    shares = [share(seat, outcome) for seat in seats]
    return _place(WIDTH, sum(shares) / len(shares), min(shares))
