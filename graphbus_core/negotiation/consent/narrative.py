"""The reasons of a decision in words, and as data: who gave what, what came second and why, how firm the choice is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.consent.certificate import is_checkable
from graphbus_core.negotiation.consent.counterfactuals import LARGEST, OutcomeSpace, find_smallest_change
from graphbus_core.negotiation.consent.events import Outcome, Status
from graphbus_core.negotiation.consent.optimum.search import RULE_DESCRIPTIONS
from graphbus_core.negotiation.consent.scenario.model import BargainingRule, Package, Preferences, Scenario
from graphbus_core.negotiation.consent.ways_out import explain_deadlock

# A tenth is about how sure people are of their own weights.
WEIGHT_MOVE = 0.10  # by how much each weight is moved to see whether the choice stands


@dataclass(frozen=True)
class AdvocateShare:
    """What one advocate gave and got: (issue, option, what it would have liked best or least, points)."""

    name: str
    share: float  # of the most that it could gain where all others still gain
    score: float
    gave: tuple[tuple[str, str, str, float], ...]
    got: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class RunnerUp:
    """The runner-up: its terms, its product as a share of the agreed one's, and who would be better or worse off."""

    outcome: Package
    ratio: float
    better: tuple[tuple[str, float], ...]
    worse: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Robustness:
    """Of all single moves of a weight by a tenth, how many change the choice, and which ones."""

    moves: int
    upset: tuple[tuple[str, str, float], ...]  # advocate, issue, the move at which another package wins


@dataclass(frozen=True)
class Reasons:
    """All of it. `second` is None where only one package is possible."""

    parts: tuple[AdvocateShare, ...]
    second: RunnerUp | None
    firm: Robustness
    best: bool  # whether the agreed package has the greatest product


def compute_reasons(scenario: Scenario, outcome: Package, names: Sequence[str]) -> Reasons | None:
    """The reasons of an agreement over the advocates that consented; None where nothing can be computed.

    That is: preferences that are not disclosed, no scores, or more than `LARGEST` packages.
    """
    if scenario.preferences is not Preferences.DISCLOSED or not scenario.scored_advocates or scenario.size > LARGEST:
        return None
    space = OutcomeSpace(scenario, tuple(names))
    # Who consented may have given no scores at all.
    if not space.seats:
        return None
    column = space.find_column(outcome)
    possible = space.product > 0
    # The agreed package counts even where somebody gains nothing by it: they consented, and that is what happened.
    possible[column] = True
    parts = tuple(_compute_share(space, n, column, possible) for n in range(len(space.seats)))
    if scenario.choose is not BargainingRule.NASH:
        # By another rule the runner-up of the product is not the runner-up.
        return Reasons(parts, None, Robustness(0, ()), False)  # the product is not what it was chosen by
    best = bool(space.product[column] >= space.product.max() * (1 - 1e-9))
    return Reasons(
        parts, _find_runner_up(space, column), _measure_robustness(space, column) if best else Robustness(0, ()), best
    )


def _compute_share(space: OutcomeSpace, n: int, column: int, possible: Any) -> AdvocateShare:
    seat, scenario = space.seats[n], space.scenario
    outcome = space.decode_outcome(column)
    room = float(space.gains[n][possible].max())
    gave, received = [], []
    for i, row in enumerate(seat.scores or ()):
        if max(row) - min(row) <= 1e-9:
            continue  # it does not care about this issue, so it gave nothing and got nothing
        issue, option_score = scenario.issues[i], row[outcome[i]]
        if option_score < max(row) - 1e-9:
            liked = issue.options[max(range(len(row)), key=lambda o: row[o])]
            gave.append((issue.name, issue.options[outcome[i]], liked, max(row) - option_score))
        if option_score > min(row) + 1e-9:
            received.append((issue.name, issue.options[outcome[i]], option_score - min(row)))
    # Where nobody could gain anything, everybody has all that was to be had.
    share = float(space.gains[n][column]) / room if room > 1e-9 else 1.0
    gave.sort(key=lambda g: -g[3])
    received.sort(key=lambda g: -g[2])
    return AdvocateShare(seat.name, share, seat.score(outcome), tuple(gave), tuple(received))


def _find_runner_up(space: OutcomeSpace, column: int) -> RunnerUp | None:
    # By place and not by value: of two packages with the same product one is the agreed one.
    others = [n for n in space.rank_columns() if n != column]
    if not others:
        return None
    place = others[0]
    moved = [(a.name, float(space.gains[n][place] - space.gains[n][column])) for n, a in enumerate(space.seats)]
    ratio = float(space.product[place] / space.product[column]) if space.product[column] > 0 else float("inf")
    better = tuple((n, v) for n, v in moved if v > 1e-9)
    return RunnerUp(space.decode_outcome(place), ratio, better, tuple((n, v) for n, v in moved if v < -1e-9))


def _measure_robustness(space: OutcomeSpace, column: int) -> Robustness:
    moves, upset = 0, []
    for n, seat in enumerate(space.seats):
        for i, row in enumerate(seat.scores or ()):
            if max(row) - min(row) <= 1e-9:
                continue
            # Up and down.
            moves += 2
            within = space.compute_winning_range(column, n, space.compute_weight_slope(n, i))
            low, high = (0.0, 0.0) if within is None else (within.low, within.high)
            # None means that it does not win even where it stands: every move upsets it.
            issue = space.scenario.issues[i].name
            upset += [(seat.name, issue, edge) for edge in (low, high) if abs(edge) < WEIGHT_MOVE]
    return Robustness(moves, tuple(upset))


# ---------------------------------------------------------------------- in words


def render_reasons(scenario: Scenario, outcome: Package, all_reasons: Reasons) -> str:
    """One paragraph, then a table of who gave what, for the document."""
    return f"{render_paragraph(scenario, outcome, all_reasons)}\n\n{_render_shares_table(all_reasons)}"


def render_paragraph(scenario: Scenario, outcome: Package, all_reasons: Reasons) -> str:
    """Why this deal, in a few sentences."""
    names = [p.name for p in all_reasons.parts]
    least = min(all_reasons.parts, key=lambda p: p.share)
    sentences = [
        f"{_join_names(names)} agreed because "
        + (
            f"of this: {RULE_DESCRIPTIONS[scenario.choose][0].lower()}{RULE_DESCRIPTIONS[scenario.choose][1:]}."
            if scenario.choose is not BargainingRule.NASH
            else "no other possible deal has a greater product of what each gains over what it needs."
            if all_reasons.best
            else "everyone can live with it, though another deal has a greater product of gains."
        )
    ]
    sentences.append(
        f"Each gets at least {least.share:.0%} of the most it could gain"
        + (f"; the least is {least.name}'s." if len(names) > 1 else ".")
    )
    gave = [(p.name, *p.gave[0]) for p in all_reasons.parts if p.gave]
    if gave:
        name, issue, option, liked, points = max(gave, key=lambda g: g[4])
        sentences.append(f"{name} gave most: {issue} is {option} and not {liked}, worth {points:.3g} of its points.")
    if all_reasons.second is not None:
        sentences.append(_explain_runner_up(scenario, outcome, all_reasons.second))
    if all_reasons.best:
        sentences.append(_describe_robustness(all_reasons.firm))
    return " ".join(sentences)


def _explain_runner_up(scenario: Scenario, outcome: Package, second: RunnerUp) -> str:
    both = zip(scenario.issues, outcome, second.outcome, strict=True)
    differ = [f"{issue.name} {issue.options[b]}" for issue, a, b in both if a != b]
    text = f"The runner-up has {_join_names(differ)}."
    better, worse = (_join_names([f"{n} {abs(v):.3g}" for n, v in side]) for side in (second.better, second.worse))
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


def _describe_robustness(firm: Robustness) -> str:
    if not firm.moves:
        return "There are no weights that could move."
    if not firm.upset:
        return f"The choice stays the same when any one weight moves by {WEIGHT_MOVE:.0%} ({firm.moves} moves tried)."
    name, issue, edge = min(firm.upset, key=lambda u: abs(u[2]))
    way = "more" if edge > 0 else "less"
    return (
        f"{len(firm.upset)} of {firm.moves} moves of one weight by {WEIGHT_MOVE:.0%} change the choice; "
        f"the nearest: {issue} mattering {abs(edge):.1%} {way} to {name}."
    )


def _render_shares_table(all_reasons: Reasons) -> str:
    rows = ["| advocate | gains, of its most | gave | got |", "|---|---|---|---|"]
    for p in all_reasons.parts:
        gave = "; ".join(f"{i}: {o} instead of {liked} (-{v:.3g})" for i, o, liked, v in p.gave) or "nothing"
        received = "; ".join(f"{i}: {o} (+{v:.3g})" for i, o, v in p.got) or "nothing"
        rows.append(f"| {_escape_cell(p.name)} | {p.share:.0%} | {_escape_cell(gave)} | {_escape_cell(received)} |")
    return "\n".join(rows)


def _join_names(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _escape_cell(text: str) -> str:
    # A line break or a bar inside a cell ends the row.
    return " ".join(text.split()).replace("|", "\\|")


def build_reasons_data(scenario: Scenario, all_reasons: Reasons) -> dict[str, Any]:
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
            for p in all_reasons.parts
        ],
        "runner_up": None
        if all_reasons.second is None
        else {
            "agreement": scenario.build_terms(all_reasons.second.outcome),
            "ratio": round(all_reasons.second.ratio, 9),
            "better": dict(all_reasons.second.better),
            "worse": dict(all_reasons.second.worse),
        },
        "robust": {
            "moves": all_reasons.firm.moves,
            "upset": [{"advocate": n, "issue": i, "at": round(e, 6)} for n, i, e in all_reasons.firm.upset],
        },
        "greatest_product": all_reasons.best,
    }


# `consent why`: the reasons of an ended negotiation, and what would have to change for another deal to win.


@dataclass(frozen=True)
class Explanation:
    """The reasons in words and as data."""

    text: str
    data: dict[str, Any]


def explain_outcome(scenario: Scenario, outcome: Outcome | None, to_win: str | None = None) -> Explanation:
    """Why it was agreed; with `to_win` what would make another deal win. Raises UsageError where nobody can say."""
    if outcome is None:
        raise UsageError("It is not over yet. `graphbus consent resume` goes on with it.")
    if outcome.status is not Status.DONE:
        if to_win is not None or not is_checkable(scenario) or scenario.preferences is not Preferences.DISCLOSED:
            proof = "`graphbus consent show --document` has the proof, where there is one"
            raise UsageError(f"Nothing was agreed. {proof}.")
        text, data = explain_deadlock(scenario)
        return Explanation(text, {"advocates": [], **data})
    # Only now: an outcome that is missing is the likelier mistake, and its message the one that helps.
    _raise_if_unexplainable(scenario)
    agreed = scenario.parse_terms(outcome.terms)
    outcome_reasons = compute_reasons(scenario, agreed, outcome.consented)
    if outcome_reasons is None:
        raise UsageError("Nobody who consented gave scores: there is nothing to compute reasons from.")
    text, plain = render_reasons(scenario, agreed, outcome_reasons), build_reasons_data(scenario, outcome_reasons)
    if to_win is not None:
        # Leximin and Kalai-Smorodinsky compare sorted or scaled gains: no single score change has a closed form
        # there, and a searched one would be called "smallest" without a proof.
        if scenario.choose is not BargainingRule.NASH:
            raise UsageError(f"What would make another deal win is known for `choose: nash`, not {scenario.choose}.")
        wanted_terms = _parse_wanted_deal(scenario, dict(outcome.terms), to_win)
        change = find_smallest_change(scenario, scenario.parse_terms(wanted_terms), outcome.consented)
        changed_terms = (
            ", ".join(f"{k} {v}" for k, v in wanted_terms.items() if outcome.terms[k] != v) or "the agreed deal"
        )
        verdict = "it is already as good as any" if change is None else f"it would win if {change.text}"
        text = f"{text}\n\nFor {changed_terms}: {verdict}."
        plain["to_win"] = {"agreement": wanted_terms, "change": None if change is None else change.to_dict()}
    return Explanation(text, plain)


def _raise_if_unexplainable(scenario: Scenario) -> None:
    if not scenario.issues:
        raise UsageError(
            "The terms are text: how good they are cannot be computed. Give the decision issues and scores."
        )
    # A reason names scores. Where they are private or sealed, the reason would publish what the vote kept back.
    if scenario.preferences is not Preferences.DISCLOSED:
        raise UsageError(f"The preferences are {scenario.preferences}: reasons would give them away.")
    if scenario.size > LARGEST:
        raise UsageError(f"There are {scenario.size:.3g} possible deals; reasons are computed for up to {LARGEST}.")


def _parse_wanted_deal(scenario: Scenario, agreed: dict[str, str], to_win: str) -> dict[str, str]:
    """The deal that is asked about: what is named, the rest as agreed."""
    # People type issue names by hand: case and spaces at the ends are forgiven, options are not, since they may
    # differ by case.
    names = {i.name.strip().casefold(): i.name for i in scenario.issues}
    for part in to_win.split(","):
        name, mark, option = part.partition("=")
        issue_name = names.get(name.strip().casefold())
        if not mark or issue_name is None:
            raise UsageError(f"--to-win {part.strip()!r}: write issue=option; there are {', '.join(names.values())}.")
        agreed[issue_name] = option.strip()
    try:
        scenario.parse_terms(agreed)
    except ValueError as e:
        # `from None`: the cause repeats the sentence, and a traceback helps nobody at a command line.
        raise UsageError(f"--to-win: {e}.") from None
    return agreed
