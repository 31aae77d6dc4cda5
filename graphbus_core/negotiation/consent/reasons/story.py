"""The reasons of a decision in words, and as data: who gave what, what came second and why, how firm the choice is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.negotiation.consent.optimum.choices import SAID
from graphbus_core.negotiation.consent.reasons.outcome_space import LARGEST, OutcomeSpace
from graphbus_core.negotiation.consent.scenario.scenario import BargainingRule, Outcome, Preferences, Scenario

# A tenth is about how sure people are of their own weights.
MOVED = 0.10  # by how much each weight is moved to see whether the choice stands


@dataclass(frozen=True)
class Share:
    """What one advocate gave and got: (issue, option, what it would have liked best or least, points)."""

    name: str
    share: float  # of the most that it could gain where all others still gain
    score: float
    gave: tuple[tuple[str, str, str, float], ...]
    got: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class Second:
    """The runner-up: its terms, its product as a share of the agreed one's, and who would be better or worse off."""

    outcome: Outcome
    ratio: float
    better: tuple[tuple[str, float], ...]
    worse: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Firmness:
    """Of all single moves of a weight by a tenth, how many change the choice, and which ones."""

    moves: int
    upset: tuple[tuple[str, str, float], ...]  # advocate, issue, the move at which another package wins


@dataclass(frozen=True)
class Reasons:
    """All of it. `second` is None where only one package is possible."""

    parts: tuple[Share, ...]
    second: Second | None
    firm: Firmness
    best: bool  # whether the agreed package has the greatest product


def reasons(scenario: Scenario, outcome: Outcome, names: Sequence[str]) -> Reasons | None:
    """The reasons of an agreement over the advocates that consented; None where nothing can be computed.

    That is: preferences that are not disclosed, no scores, or more than `LARGEST` packages.
    """
    if scenario.preferences is not Preferences.DISCLOSED or not scenario.scored or scenario.size > LARGEST:
        return None
    space = OutcomeSpace(scenario, tuple(names))
    # Who consented may have given no scores at all.
    if not space.seats:
        return None
    at = space.place(outcome)
    possible = space.product > 0
    # The agreed package counts even where somebody gains nothing by it: they consented, and that is what happened.
    possible[at] = True
    parts = tuple(_part(space, n, at, possible) for n in range(len(space.seats)))
    if scenario.choose is not BargainingRule.NASH:
        # By another rule the runner-up of the product is not the runner-up.
        return Reasons(parts, None, Firmness(0, ()), False)  # the product is not what it was chosen by
    best = bool(space.product[at] >= space.product.max() * (1 - 1e-9))
    return Reasons(parts, _second(space, at), _firmness(space, at) if best else Firmness(0, ()), best)


def _part(space: OutcomeSpace, n: int, at: int, possible: Any) -> Share:
    seat, scenario = space.seats[n], space.scenario
    outcome = space.outcome(at)
    room = float(space.gains[n][possible].max())
    gave, got = [], []
    for i, row in enumerate(seat.scores or ()):
        if max(row) - min(row) <= 1e-9:
            continue  # it does not care about this issue, so it gave nothing and got nothing
        issue, here = scenario.issues[i], row[outcome[i]]
        if here < max(row) - 1e-9:
            liked = issue.options[max(range(len(row)), key=lambda o: row[o])]
            gave.append((issue.name, issue.options[outcome[i]], liked, max(row) - here))
        if here > min(row) + 1e-9:
            got.append((issue.name, issue.options[outcome[i]], here - min(row)))
    # Where nobody could gain anything, everybody has all that was to be had.
    share = float(space.gains[n][at]) / room if room > 1e-9 else 1.0
    gave.sort(key=lambda g: -g[3])
    got.sort(key=lambda g: -g[2])
    return Share(seat.name, share, seat.score(outcome), tuple(gave), tuple(got))


def _second(space: OutcomeSpace, at: int) -> Second | None:
    # By place and not by value: of two packages with the same product one is the agreed one.
    others = [n for n in space.best() if n != at]
    if not others:
        return None
    place = others[0]
    moved = [(a.name, float(space.gains[n][place] - space.gains[n][at])) for n, a in enumerate(space.seats)]
    ratio = float(space.product[place] / space.product[at]) if space.product[at] > 0 else float("inf")
    better = tuple((n, v) for n, v in moved if v > 1e-9)
    return Second(space.outcome(place), ratio, better, tuple((n, v) for n, v in moved if v < -1e-9))


def _firmness(space: OutcomeSpace, at: int) -> Firmness:
    moves, upset = 0, []
    for n, seat in enumerate(space.seats):
        for i, row in enumerate(seat.scores or ()):
            if max(row) - min(row) <= 1e-9:
                continue
            # Up and down.
            moves += 2
            within = space.wins(at, n, space.along_weight(n, i))
            low, high = (0.0, 0.0) if within is None else (within.low, within.high)
            # None means that it does not win even where it stands: every move upsets it.
            issue = space.scenario.issues[i].name
            upset += [(seat.name, issue, edge) for edge in (low, high) if abs(edge) < MOVED]
    return Firmness(moves, tuple(upset))


# ---------------------------------------------------------------------- in words


def told(scenario: Scenario, outcome: Outcome, found: Reasons) -> str:
    """One paragraph, then a table of who gave what, for the document."""
    return f"{paragraph(scenario, outcome, found)}\n\n{_parts(found)}"


def paragraph(scenario: Scenario, outcome: Outcome, found: Reasons) -> str:
    """Why this deal, in a few sentences."""
    names = [p.name for p in found.parts]
    least = min(found.parts, key=lambda p: p.share)
    said = [
        f"{_listed(names)} agreed because "
        + (
            f"of this: {SAID[scenario.choose][0].lower()}{SAID[scenario.choose][1:]}."
            if scenario.choose is not BargainingRule.NASH
            else "no other possible deal has a greater product of what each gains over what it needs."
            if found.best
            else "everyone can live with it, though another deal has a greater product of gains."
        )
    ]
    said.append(
        f"Each gets at least {least.share:.0%} of the most it could gain"
        + (f"; the least is {least.name}'s." if len(names) > 1 else ".")
    )
    gave = [(p.name, *p.gave[0]) for p in found.parts if p.gave]
    if gave:
        name, issue, option, liked, points = max(gave, key=lambda g: g[4])
        said.append(f"{name} gave most: {issue} is {option} and not {liked}, worth {points:.3g} of its points.")
    if found.second is not None:
        said.append(_lost(scenario, outcome, found.second))
    if found.best:
        said.append(_firm(found.firm))
    return " ".join(said)


def _lost(scenario: Scenario, outcome: Outcome, second: Second) -> str:
    both = zip(scenario.issues, outcome, second.outcome, strict=True)
    differ = [f"{issue.name} {issue.options[b]}" for issue, a, b in both if a != b]
    text = f"The runner-up has {_listed(differ)}."
    better, worse = (_listed([f"{n} {abs(v):.3g}" for n, v in side]) for side in (second.better, second.worse))
    if second.ratio > 1 + 1e-9:
        return f"{text} Its product is {second.ratio:.3g} times as great."
    even = f"{second.ratio:.1%} of this one's"
    # The rule for ties is told here, because here is where a reader meets it.
    if second.ratio > 1 - 1e-9:
        even = "as great; of two as great the one with the greater sum of scores stands, then the one named first"
    lost = (
        f"It gives {better} points more, and takes {worse} points away" if better and worse else "It gains nobody more"
    )
    if not better and worse:
        lost = f"It takes {worse} points away and gives nobody more"
    return f"{text} {lost}: its product is {even}."


def _firm(firm: Firmness) -> str:
    if not firm.moves:
        return "There are no weights that could move."
    if not firm.upset:
        return f"The choice stays the same when any one weight moves by {MOVED:.0%} ({firm.moves} moves tried)."
    name, issue, edge = min(firm.upset, key=lambda u: abs(u[2]))
    way = "more" if edge > 0 else "less"
    return (
        f"{len(firm.upset)} of {firm.moves} moves of one weight by {MOVED:.0%} change the choice; "
        f"the nearest: {issue} mattering {abs(edge):.1%} {way} to {name}."
    )


def _parts(found: Reasons) -> str:
    rows = ["| advocate | gains, of its most | gave | got |", "|---|---|---|---|"]
    for p in found.parts:
        gave = "; ".join(f"{i}: {o} instead of {liked} (-{v:.3g})" for i, o, liked, v in p.gave) or "nothing"
        got = "; ".join(f"{i}: {o} (+{v:.3g})" for i, o, v in p.got) or "nothing"
        rows.append(f"| {_cell(p.name)} | {p.share:.0%} | {_cell(gave)} | {_cell(got)} |")
    return "\n".join(rows)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _cell(text: str) -> str:
    # A line break or a bar inside a cell ends the row.
    return " ".join(text.split()).replace("|", "\\|")


def data(scenario: Scenario, found: Reasons) -> dict[str, Any]:
    """The same for programs."""
    return {
        "advocates": [
            # Rounded: a record is compared, and the last digits differ between machines.
            {
                "name": p.name,
                "share": round(p.share, 6),
                "score": p.score,
                "gave": [{"issue": i, "option": o, "liked": liked, "points": v} for i, o, liked, v in p.gave],
                "got": [{"issue": i, "option": o, "points": v} for i, o, v in p.got],
            }
            for p in found.parts
        ],
        "runner_up": None
        if found.second is None
        else {
            "agreement": scenario.terms(found.second.outcome),
            "ratio": round(found.second.ratio, 9),
            "better": dict(found.second.better),
            "worse": dict(found.second.worse),
        },
        "robust": {
            "moves": found.firm.moves,
            "upset": [{"advocate": n, "issue": i, "at": round(e, 6)} for n, i, e in found.firm.upset],
        },
        "greatest_product": found.best,
    }
