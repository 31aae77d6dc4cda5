"""The output document: the decision, its terms, who traded what, objections overcome, the certificate, a picture.

The certificate or proof stands in it as JSON between fences, so that `graphbus consent verify` can compute it again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from graphbus_core.negotiation.consent.certificate import strip_numbers
from graphbus_core.negotiation.consent.events import (
    SEALED,
    BallotOpened,
    CheckCalled,
    CheckFailed,
    Discussed,
    Objected,
    Outcome,
    PositionStated,
    ProposalTabled,
    Status,
)
from graphbus_core.negotiation.consent.mediator import describe_trades
from graphbus_core.negotiation.consent.optimum.results import format_amount
from graphbus_core.negotiation.consent.optimum.search import find_frontier, is_separable
from graphbus_core.negotiation.consent.scenario.model import Advocate, Package, Preferences, Scenario
from graphbus_core.negotiation.consent.transcript import list_term_lines, render_status_block
from graphbus_core.negotiation.core import Event
from graphbus_core.text import shorten

# A document held against what it should say: section by section, line by line. Each difference is one sentence.


FENCE = "```json consent-record"
HEAD = "the heading"


def compare_documents(text: str, expected: str, whole: bool = True) -> list[str]:
    """What stands in `text` and should not, and the other way round.

    The record between its fences is left out: it is computed again by itself. `whole`: every section is expected; else
    those alone that stand in the text (documents of the first edition have fewer).
    """
    mine, theirs = _split_sections(expected), _split_sections(text)
    order = [title for title, _ in mine]
    wrong = [f"the section {t!r} is none of this document's" for t, _ in theirs if t not in order]
    # A section twice would let a forger put the true one where this looks and a false one where people read.
    doubled = [t for t, n in Counter(t for t, _ in theirs).items() if n > 1]
    wrong += [f"the section {t!r} stands there {'more than once'}" for t in doubled]
    # The first of a title counts, so the pairs are read backwards.
    text_sections = dict(reversed(theirs))
    for title, body in mine:
        if title not in text_sections:
            if whole:
                wrong.append(f"the section {title!r} is missing")
            continue
        wrong += _compare_lines(title, text_sections[title], body)
    if whole and not wrong and [t for t, _ in theirs] != order:
        wrong.append("the sections stand in another order")
    return wrong


# What a record tells by itself. Other sections (objections, status, the picture) are made of the log.
TOLD_BY_RECORD = (HEAD, "Terms", "Stood aside", "Without a say", "Reasons", "Votes", "Certificate", "Proof")


def compare_with_record(text: str, scenario: Scenario, record: Mapping[str, Any]) -> list[str]:
    """What the page says otherwise than its own record, where no log is at hand: each difference one sentence."""
    attested = record.get("attested") or {}
    claimed = record.get("preferences") or attested.get("preferences")
    scenario = replace(scenario, preferences=Preferences(claimed)) if claimed in set(Preferences) else scenario
    votes = attested.get("votes", ())
    reasons = {v["advocate"]: v.get("reason", "") for v in votes if v["vote"] == "stand aside"}
    # `--seed` draws the order of the seats, in which sentences name people and ties are broken. Scores stand in it.
    seats = {name: n for n, name in enumerate(record.get("scores") or [v["advocate"] for v in votes])}
    ordered = sorted(scenario.advocates, key=lambda a: seats.get(a.name, len(seats)))
    scenario = replace(scenario, advocates=tuple(ordered))
    outcome = Outcome(
        Status.DONE if record["kind"] in ("certificate", "agreement") else Status.INCOMPLETE,
        attested.get("reason", ""),
        attested.get("turns", 0),
        attested.get("speaking_turns", 0),
        number=(attested.get("proposal") or {}).get("number", 0),
        terms=record.get("agreement"),
        consented=tuple(n for n in scenario.names if n in record.get("advocates", ())),
        stood_aside=reasons or dict.fromkeys(record.get("stood_aside", ()), ""),
        forfeited=tuple(record.get("forfeited", ())),
    )
    files = {k: str(record[k]) for k in ("scenario_file", "log_file", "picture_file") if k in record}
    plain = {k: v for k, v in record.items() if k not in files}
    # The events are not here, so only sections that need none of them are compared.
    fresh = _split_sections(render_document(scenario, (), outcome, plain, None, files))
    names = TOLD_BY_RECORD if attested else TOLD_BY_RECORD[1:]  # the first edition kept no turns for the heading
    expected = {title: body for title, body in fresh if title in names}
    theirs = [(title, body) for title, body in _split_sections(text) if title in names]
    wrong = [
        f"the section {t!r} stands there more than once" for t, n in Counter(t for t, _ in theirs).items() if n > 1
    ]
    wrong += [f"the section {t!r} does not follow from the record" for t, _ in theirs if t not in expected]
    wrong += [f"the section {t!r} is missing" for t in expected if attested and t not in dict(theirs)]
    return wrong + [w for t, body in theirs if t in expected for w in _compare_lines(t, body, expected[t])]


def _split_sections(text: str) -> list[tuple[str, str]]:
    """(title, body) of each section; the fenced record is a place-holder."""
    plain = "\n" + text.replace("\r\n", "\n")
    start = plain.find(f"\n{FENCE}\n")
    if start >= 0:
        end = plain.find("\n```", start + 1 + len(FENCE))
        # The record itself holds headings, in the words that somebody quoted.
        plain = plain[: start + 1] + "(record)" + (plain[end + 4 :] if end >= 0 else "")
    head, *rest = plain.split("\n## ")
    out = [(HEAD, head)]
    for part in rest:
        title, _, body = part.partition("\n")
        out.append((title.strip(), body))
    return out


def _compare_lines(title: str, actual: str, expected: str) -> list[str]:
    # Blank lines and spaces at the end are what editors change by themselves.
    mine, theirs = ([x.rstrip() for x in body.split("\n") if x.strip()] for body in (expected, actual))
    if mine == theirs:
        return []
    # Counted, because a line that stands twice where it should stand once is an addition.
    extra = Counter(theirs) - Counter(mine)
    missing = Counter(mine) - Counter(theirs)
    wrong = [f"{title}: {shorten(line, 160)!r} stands there and is not so" for line in extra]
    wrong += [f"{title}: {shorten(line, 160)!r} is missing" for line in missing]
    return wrong or [f"{title}: the lines stand in another order"]


# Two pictures as one SVG: each advocate's satisfaction over the proposals, and the frontier with the agreement on it.
#
# Satisfaction is the share of the way from an advocate's minimum (0) to the best it could have (1). The frontier is
# drawn over the mean share and the least share, which say the same for two parties as for nine.


# Nine that people can tell apart; the tenth seat begins again with the first.
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f")
WIDTH, HEIGHT, MARGIN, LEGEND = 360, 220, 34, 16
FRONTIER_POINTS = 600


def compute_satisfaction(seat: Advocate, outcome: Package) -> float:
    """How satisfied an advocate is, 0 at its minimum, 1 at its best; below 0 where its minimum is not met."""
    least = seat.floor
    top = seat.ceiling
    # Nothing to gain is all of it: such a seat is content with any deal.
    return (seat.score(outcome) - least) / (top - least) if top > least else 1.0


def render_svg(scenario: Scenario, tabled: Sequence[Package], agreement: Package | None) -> str | None:
    """The SVG, or None where there are no scores to draw."""
    seats = scenario.scored_advocates
    if not seats:
        return None
    height = HEIGHT + LEGEND * ((len(seats) + 2) // 3) + 10
    size = f'width="{2 * WIDTH}" height="{height}" viewBox="0 0 {2 * WIDTH} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11" role="img">',
        # Escaped and cut: the topic comes from a file, and this is shown by browsers.
        f"<title>{escape(scenario.topic[:200])}</title>",
        f'<rect width="{2 * WIDTH}" height="{height}" fill="#ffffff"/>',
        *_draw_lines(seats, tabled),
        *_draw_frontier(scenario, seats, agreement),
    ]
    for n, seat in enumerate(seats):
        x, y = MARGIN + (n % 3) * 220, HEIGHT + LEGEND * (n // 3) + 8
        colour = COLOURS[n % len(COLOURS)]
        parts.append(f'<rect x="{x}" y="{y - 8}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="{y + 1}">{escape(seat.name[:32])}</text>')
    return "\n".join([*parts, "</svg>"])


def _draw_axes(left_edge: int, title: str, below: str) -> list[str]:
    x0, x1, y0, y1 = left_edge + MARGIN, left_edge + WIDTH - 12, HEIGHT - MARGIN, 24
    return [
        f'<text x="{x0}" y="14" font-weight="bold">{title}</text>',
        f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y0}" stroke="#444"/>',
        f'<line x1="{x0}" y1="{y0}" x2="{x0}" y2="{y1}" stroke="#444"/>',
        f'<text x="{x0 - 8}" y="{y0 + 4}" text-anchor="end">0</text>',
        f'<text x="{x0 - 8}" y="{y1 + 4}" text-anchor="end">1</text>',
        f'<text x="{(x0 + x1) // 2}" y="{y0 + 22}" text-anchor="middle">{below}</text>',
    ]


def _place_point(left_edge: int, x: float, y: float) -> tuple[float, float]:
    # A little below nought is drawn, so that a minimum that is not met can be seen.
    x, y = min(1.0, max(0.0, x)), min(1.0, max(-0.08, y))
    x0, x1, y0, y1 = left_edge + MARGIN, left_edge + WIDTH - 12, HEIGHT - MARGIN, 24
    # One decimal: the file stays the same on machines whose last digits differ.
    return round(x0 + x * (x1 - x0), 1), round(y0 + y * (y1 - y0), 1)


def _draw_lines(seats: Sequence[Advocate], tabled: Sequence[Package]) -> list[str]:
    out = _draw_axes(0, "Satisfaction with the proposal on the table", "proposals, in order")
    for n, seat in enumerate(seats):
        points = [
            _place_point(0, i / max(1, len(tabled) - 1), compute_satisfaction(seat, outcome))
            for i, outcome in enumerate(tabled)
        ]
        colour = COLOURS[n % len(COLOURS)]
        if len(points) > 1:
            path = " ".join(f"{x},{y}" for x, y in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out.extend(f'<circle cx="{x}" cy="{y}" r="2.2" fill="{colour}"/>' for x, y in points)
    return out


def _draw_frontier(scenario: Scenario, seats: Sequence[Advocate], agreement: Package | None) -> list[str]:
    out = _draw_axes(WIDTH, "Efficient outcomes, and the agreement", "mean satisfaction (up: the least one)")
    # Enumerating beyond a million takes seconds, and the picture would hold up the document.
    quick = scenario.size <= 1_000_000 or is_separable(scenario)
    pareto_frontier = find_frontier(scenario, at_most=FRONTIER_POINTS) if quick else None
    for outcome, _ in pareto_frontier.points if pareto_frontier is not None else ():
        x, y = _locate_outcome(seats, outcome)
        out.append(f'<circle cx="{x}" cy="{y}" r="2" fill="#b0b0b0"/>')
    if pareto_frontier is None or not pareto_frontier.complete:
        out.append(f'<text x="{WIDTH + MARGIN + 8}" y="40" fill="#777">the frontier is too large to draw</text>')
    if agreement is not None:
        x, y = _locate_outcome(seats, agreement)
        out.append(f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="#d62728" stroke-width="2"/>')
        out.append(f'<text x="{x + 8}" y="{y + 4}" fill="#d62728">agreed</text>')
    return out


def _locate_outcome(seats: Sequence[Advocate], outcome: Package) -> tuple[float, float]:
    shares = [compute_satisfaction(seat, outcome) for seat in seats]
    return _place_point(WIDTH, sum(shares) / len(shares), min(shares))


VERIFY = "`graphbus consent verify` on this file computes it again from the scenario that it names."
MEASURES = {"nash": "Nash", "egalitarian": "Egalitarian", "utilitarian": "Welfare"}
ALTERNATIVE = "Each advocate's satisfaction over the proposals, and the efficient outcomes with the agreement"
# An objection may be a page long. It stands whole in the ledger.
SHORT = 400  # characters of an objection that are quoted


def render_document(
    scenario: Scenario,
    events: Sequence[Event],
    outcome: Outcome,
    record: Mapping[str, Any] | None,
    output: str | None,
    files: Mapping[str, str],
) -> str:
    """The whole document, a pure function: `verify` makes it again.

    `record`: the certificate or the proof. `files`: where scenario, log and picture are (`scenario_file`, `log_file`,
    `picture_file`; without one the picture stands in the document itself).
    """
    is_done = outcome.status is Status.DONE
    private = scenario.preferences is not Preferences.DISCLOSED
    parts = [f"# {'Decision' if is_done else 'No decision'}: {_flatten_line(scenario.topic)}"]
    if is_done:
        parts.append(
            f"{_count_consents(scenario, outcome.consented)} to proposal {outcome.number} after {outcome.turns} turns."
        )
        parts.append("## Terms\n\n" + _render_terms(scenario, outcome.terms))
        if outcome.stood_aside:
            parts.append("## Stood aside\n\n" + _render_aside(outcome.stood_aside))
        if outcome.forfeited:
            names = "\n".join(f"- {name}" for name in outcome.forfeited)
            parts.append(f"## Without a say\n\n{names}\n\nTheir ballot stayed shut, so the others decided.")
        if (why := _render_reasons(scenario, outcome)) is not None:
            parts.append(f"## Reasons\n\n{why}")
        parts.append("## Who traded what\n\n" + _render_trades(scenario, events, outcome))
    else:
        parts.append(f"After {outcome.turns} turns nothing is agreed: {_flatten_line(outcome.reason)}.")
    # Also those that were overcome: a reader should know what it took.
    overcome = _render_objections(events, outcome)
    if overcome:
        parts.append(f"## Objections {'overcome' if is_done else 'that stand'}\n\n{overcome}")
    if record is not None and record.get("attested"):
        parts.append(_render_attestation(record["attested"]))
    # With preferences that are not disclosed the record is stripped here, at the one place where it is written.
    if record is not None and private and record["kind"] != "agreement":
        parts.append(_render_sealed_record(strip_numbers(scenario, record), files))
    elif record is not None:
        parts.append(_render_record(record, files))
    if has_picture(scenario):
        picture_file = files.get("picture_file")
        picture_text = f"![{ALTERNATIVE}]({picture_file})" if picture_file else draw_picture(scenario, events, outcome)
        parts.append(f"## Picture\n\n{picture_text}")
    priorities = _collect_priorities(scenario, events)
    status = render_status_block(outcome.status, outcome.turns, output, priorities, outcome.stood_aside)
    parts.append(f"## Status\n\n```\n{status}\n```")
    return "\n\n".join(parts) + "\n"


def has_picture(scenario: Scenario) -> bool:
    """Whether there is a picture: of scores that everybody may see."""
    return scenario.preferences is Preferences.DISCLOSED and bool(scenario.scored_advocates) and bool(scenario.issues)


def draw_picture(scenario: Scenario, events: Sequence[Event], outcome: Outcome) -> str | None:
    """The picture as SVG: satisfaction over the proposals, the frontier, and the agreement on it."""
    if not has_picture(scenario):
        return None
    return render_svg(scenario, _list_packages(scenario, events), _find_package(scenario, outcome))


def extract_record(text: str) -> dict[str, Any] | None:
    """The certificate or proof that stands in a document, or None. Raises ValueError where it is damaged."""
    # A newline in front, so that a record in the first line is found by the same search.
    text = "\n" + text.replace("\r\n", "\n")
    start = text.find(f"\n{FENCE}\n")  # a line of its own: an objection may quote the words
    if start < 0:
        return None
    start += 1 + len(FENCE)
    # The first fence after it ends it: JSON that we wrote holds no line of three backticks.
    end = text.find("\n```", start)
    record = parse_record(text[start : end if end > 0 else None])
    if text.find(f"\n{FENCE}\n", start) >= 0:
        raise ValueError("a second record stands behind the first")
    if not isinstance(record, dict):
        raise ValueError("the record is not an object")
    return record


def parse_record(text: str) -> Any:
    """The JSON of a record, which can be read in one way alone. Raises ValueError for a key that stands twice."""

    def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled = [key for key, n in Counter(key for key, _ in pairs).items() if n > 1]
        if doubled:
            raise ValueError(f"{doubled[0]!r} stands there twice")
        return dict(pairs)

    def refuse_constant(name: str) -> Any:
        raise ValueError(f"{name} is a number that JSON does not have")

    return json.loads(text, object_pairs_hook=build_object, parse_constant=refuse_constant)


def _count_consents(scenario: Scenario, names: Sequence[str]) -> str:
    return f"{len(names)} of {len(scenario.advocates)} advocates consented"


def _render_aside(aside: Mapping[str, str]) -> str:
    lines = [f"- {name}{': ' if why else ''}{_flatten_line(why)}" for name, why in aside.items()]
    return "\n".join([*lines, "", "They do not support the decision, and do not stand in its way."])


def _collect_priorities(scenario: Scenario, events: Sequence[Event]) -> dict[str, str]:
    stated_priorities = {e.advocate: e.priority for e in events if isinstance(e, PositionStated)}
    return {a.name: a.priority or stated_priorities.get(a.name, "") for a in scenario.advocates}


def _render_terms(scenario: Scenario, terms: Any) -> str:
    if not scenario.issues or not isinstance(terms, Mapping):
        return "\n".join(f"- {_flatten_line(t)}" for t in list_term_lines(terms))
    rows = ["| issue | decided | meaning |", "|---|---|---|"]
    for issue in scenario.issues:
        option = terms[issue.name]
        name = f"{issue.name} ({issue.title})" if issue.title else issue.name
        rows.append(
            f"| {_escape_cell(name)} | {_escape_cell(option)} | {_escape_cell(issue.meanings.get(option, ''))} |"
        )
    return "\n".join(rows)


def _render_trades(scenario: Scenario, events: Sequence[Event], outcome: Outcome) -> str:
    lines = []
    package = _find_package(scenario, outcome)
    # Words computed from scores would tell the scores.
    if package is not None and scenario.scored_advocates and scenario.preferences is Preferences.DISCLOSED:
        gives, gets = describe_trades(scenario, package)
        lines += [f"- Gave: {_flatten_line(g)}" for g in gives.split("; ") if g] + [
            f"- Got: {_flatten_line(g)}" for g in gets.split("; ") if g
        ]
    else:
        for event in events:
            if isinstance(event, ProposalTabled) and not (event.offer or event.want):
                lines.append(f"- {event.by} tabled proposal {event.number}: {_flatten_line(event.rationale)}")
            elif isinstance(event, ProposalTabled):
                lines.append(f"- {event.by} offered: {_flatten_line(event.offer)}")
                lines.append(f"- {event.by} wanted: {_flatten_line(event.want)}")
    if not lines and any(
        isinstance(e, BallotOpened) or (isinstance(e, Discussed) and e.text.startswith(SEALED)) for e in events
    ):
        return "- Everyone cast a sealed ballot. The terms are what the ballots together came to."
    return "\n".join(lines) or "- Nobody had to trade."


def _render_reasons(scenario: Scenario, outcome: Outcome) -> str | None:
    """Why this deal, in a paragraph, and who gave what; None where nobody can say."""
    from graphbus_core.negotiation.consent.narrative import compute_reasons, render_reasons

    package = _find_package(scenario, outcome)
    # Over everybody who did not object: who stood aside is weighed too.
    all_reasons = None if package is None else compute_reasons(scenario, package, outcome.non_objectors)
    return None if all_reasons is None or package is None else render_reasons(scenario, package, all_reasons)


def _render_objections(events: Sequence[Event], outcome: Outcome) -> str:
    lines = []
    for event in events:
        # What was said against the agreed text and then withdrawn by a vote is not an objection to it.
        if isinstance(event, Objected) and (event.hash != outcome.hash or outcome.status is not Status.DONE):
            reason = shorten(_flatten_line(event.reason), SHORT)
            lines.append(f"- To proposal {event.number}, {event.advocate}: {reason}")
    failed = sum(isinstance(e, CheckFailed) for e in events)
    return "\n".join([f"{failed} checks failed.", "", *lines]) if lines else ""


def _render_attestation(record: Mapping[str, Any]) -> str:
    """Who voted what, and when; and of which log this is the end."""
    lines = []
    if record["votes"]:
        lines = ["| advocate | vote | when (UTC) |", "|---|---|---|"]
        lines += [f"| {_escape_cell(v['advocate'])} | {v['vote']} | {v['at'] or 'not kept'} |" for v in record["votes"]]
        lines.append("")
    if record["proposal"] is not None:
        lines.append(f"- Proposal {record['proposal']['number']}, hash {record['proposal']['hash']}.")
    lines.append(f"- Preferences were {record['preferences']}; {record['speaking_turns']} turns were speeches.")
    if record.get("mediator"):
        lines.append(f"- The mediator: {_flatten_line(record['mediator'])}.")
    if record["log"] is not None:
        lines.append(f"- Log {record['log']}: {record['facts']} facts, head {record['head']}.")
        lines.append("- `graphbus consent verify` holds every line of this file against that log.")
    else:
        lines.append("- No log was kept.")
    return "## Votes\n\n" + "\n".join(lines)


def _render_record(record: Mapping[str, Any], files: Mapping[str, str]) -> str:
    if record["kind"] == "agreement":
        title, explanation = (
            "Certificate",
            "The terms are text: who agreed to them can be shown, not how good they are.",
        )
    elif record["kind"] == "certificate":
        title, explanation = "Certificate", _describe_certificate(record)
    else:
        title, explanation = "Proof", _describe_proof(record)
    plain = json.dumps({**files, **record}, indent=1, ensure_ascii=False)
    return f"## {title}\n\n{explanation}\n\n{VERIFY}\n\n{FENCE}\n{plain}\n```"


def _render_sealed_record(record: Mapping[str, Any] | None, files: Mapping[str, str]) -> str:
    """With private preferences the document, which everyone reads, carries nothing that is made of them."""
    if record is None:
        return "## Proof\n\nThe preferences are not disclosed: why nothing was agreed cannot be shown without them."
    plain = json.dumps({**files, **record}, indent=1, ensure_ascii=False)
    return f"## Certificate\n\n{_describe_sealed_record(record)}\n\n{VERIFY}\n\n{FENCE}\n{plain}\n```"


def _describe_sealed_record(record: Mapping[str, Any]) -> str:
    aside = record.get("stood_aside", ())
    return (
        f"- {' and '.join(record['advocates'])} consented; no red line of theirs is crossed.\n"
        + (f"- {' and '.join(aside)} stood aside; no red line of theirs is crossed.\n" if aside else "")
        + f"- The preferences are {record['preferences']}: no score, no minimum and no better deal stands here."
    )


def _describe_certificate(record: Mapping[str, Any]) -> str:
    lines = [_describe_efficiency(record)]
    lines += [
        _describe_measure(record[name], text) for name, text in MEASURES.items() if record[name]["ratio"] is not None
    ]
    if (choice := record.get("choice")) is not None:
        reached, best = (", ".join(f"{v:.4g}" for v in choice[k]) for k in ("reached", "best"))
        what = "gains" if choice["rule"] == "leximin" else "shares of what each could gain"
        lines.append(f"- Chosen by {choice['rule']}: the {what}, least first, are {reached}; the best possible {best}.")
    if record["red_lines_crossed"]:
        lines.append("- It crosses red lines of advocates that did not consent or could not be checked.")
    lines += [f"- {_describe_bounded(record['bounded'])}"] if "bounded" in record else []
    if record["scores"]:
        lines += ["", "| advocate | score | minimum |", "|---|---|---|"]
        lines += [f"| {_escape_cell(n)} | {s:g} | {record['minimums'][n]:g} |" for n, s in record["scores"].items()]
    return "\n".join(lines)


def _describe_efficiency(record: Mapping[str, Any]) -> str:
    """Whether somebody could gain without another losing; for a quorum, among those who were weighed."""
    behind = sorted([*record["advocates"], *record.get("stood_aside", ())])
    # Named only where it is fewer than all: for everybody the plain sentence is the stronger one.
    is_everybody = set(record["scores"]) <= set(behind)
    if record["pareto_efficient"] is None:
        return "- Whether somebody could gain without another losing is not known: the solver's time ran out."
    if not record["pareto_efficient"]:
        better = ", ".join(f"{k}: {v}" for k, v in record["better"]["agreement"].items())
        among = "" if is_everybody else " of those who consented"
        return f"- Not Pareto-efficient. Better for someone and worse for nobody{among}: {better}."
    if is_everybody:
        return "- Pareto-efficient: nobody can gain without another losing."
    return f"- Pareto-efficient for {' and '.join(behind)}: none of them can gain without another losing."


def _describe_measure(measure: Mapping[str, Any], text: str) -> str:
    if "gap" in measure:
        # Both are told: what was found, and what can still be promised of the unknown best.
        known_ratio, least = measure["ratio"], 1 - measure["gap"]
        return f"- {text} ratio {known_ratio:.3f} of the best known. That is at least {least:.3f} of the best possible."
    return f"- {text} ratio {measure['ratio']:.3f} of the best possible."


def _describe_proof(record: Mapping[str, Any]) -> str:
    if record["kind"] == "possible":
        return str(record["text"])
    lines = ["These red lines cannot hold together; any fewer of them can:", ""]
    lines += [f"- {_describe_red_line(c)}" for c in record["conflict"]]
    steps = "; ".join(f"{_describe_red_line(s)}, by {format_amount(s['by'])}" for s in record["relaxation"]["steps"])
    lines += ["", f"The cheapest relaxation: {steps}. Then this is possible:", ""]
    lines += [f"- {k}: {v}" for k, v in record["relaxation"]["agreement"].items()]
    lines += ["", _describe_bounded(record["bounded"])] if "bounded" in record else []
    return "\n".join(lines)


def _describe_bounded(names: Sequence[str]) -> str:
    return (
        f"How low and how high a total of {' and '.join(names)} can go is bounded, and not known: too many scores "
        "depend on each other. What is chosen or called cheapest rests on these bounds."
    )


def _describe_red_line(entry: Mapping[str, Any]) -> str:
    least = entry["rule"].get("minimum")
    description = f"a total of at least {least:g}" if least is not None else _flatten_line(entry["red_line"])
    return f"{entry['advocate']}: {description}"


def _find_package(scenario: Scenario, outcome: Outcome) -> Package | None:
    if not scenario.issues or not isinstance(outcome.terms, Mapping):
        return None
    return scenario.parse_terms(outcome.terms)


def _list_packages(scenario: Scenario, events: Sequence[Event]) -> list[Package]:
    out = []
    for event in events:
        own = isinstance(event, CheckCalled) and event.own_words
        # A check may bring its own words, which are then a proposal that nobody tabled.
        if (isinstance(event, ProposalTabled) or own) and isinstance(event.terms, Mapping) and scenario.issues:  # type: ignore[attr-defined]
            out.append(scenario.parse_terms(event.terms))  # type: ignore[attr-defined]
    return out


def _flatten_line(text: str) -> str:
    # The sentence around it brings its own full stop.
    return " ".join(text.split()).rstrip(".") if text else ""


def _escape_cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")
