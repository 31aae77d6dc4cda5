"""The output document: the decision, its terms, who traded what, objections overcome, the certificate, a picture.

The certificate or proof stands in it as JSON between fences, so that `graphbus consent verify` can compute it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.optimum.mediator import words
from graphbus_core.negotiation.consent.scenario.scenario import Outcome as Package, Preferences, Scenario
from graphbus_core.negotiation.consent.told.certificate import without_numbers
from graphbus_core.negotiation.consent.told.compared import FENCE
from graphbus_core.negotiation.consent.told.picture import picture
from graphbus_core.negotiation.consent.told.texts import lines_of, status_block
from graphbus_core.negotiation.consent.vocabulary import (
    SEALED,
    CheckCalled,
    CheckFailed,
    Discussed,
    Objected,
    Outcome,
    PositionStated,
    ProposalTabled,
    Status,
)
from graphbus_core.negotiation.core import Event
from graphbus_core.shown import shortened

VERIFY = "`graphbus consent verify` on this file computes it again from the scenario that it names."
MEASURES = {"nash": "Nash", "egalitarian": "Egalitarian", "utilitarian": "Welfare"}
ALTERNATIVE = "Each advocate's satisfaction over the proposals, and the efficient outcomes with the agreement"
# An objection may be a page long. It stands whole in the ledger.
SHORT = 400  # characters of an objection that are quoted


def document(
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
    done = outcome.status is Status.DONE
    private = scenario.preferences is not Preferences.DISCLOSED
    parts = [f"# {'Decision' if done else 'No decision'}: {_line(scenario.topic)}"]
    if done:
        parts.append(f"{_count(scenario, outcome.consented)} to proposal {outcome.number} after {outcome.turns} turns.")
        parts.append("## Terms\n\n" + _terms(scenario, outcome.terms))
        if outcome.stood_aside:
            parts.append("## Stood aside\n\n" + _aside(outcome.stood_aside))
        if (why := _reasons(scenario, outcome)) is not None:
            parts.append(f"## Reasons\n\n{why}")
        parts.append("## Who traded what\n\n" + _trades(scenario, events, outcome))
    else:
        parts.append(f"After {outcome.turns} turns nothing is agreed: {_line(outcome.reason)}.")
    # Also those that were overcome: a reader should know what it took.
    overcome = _objections(events, outcome)
    if overcome:
        parts.append(f"## Objections {'overcome' if done else 'that stand'}\n\n{overcome}")
    if record is not None and record.get("attested"):
        parts.append(_attested(record["attested"]))
    # With preferences that are not disclosed the record is stripped here, at the one place where it is written.
    if record is not None and private and record["kind"] != "agreement":
        parts.append(_sealed(without_numbers(scenario, record), files))
    elif record is not None:
        parts.append(_record(record, files))
    if is_drawn(scenario):
        named = files.get("picture_file")
        shown = f"![{ALTERNATIVE}]({named})" if named else drawing(scenario, events, outcome)
        parts.append(f"## Picture\n\n{shown}")
    priorities = _priorities(scenario, events)
    status = status_block(outcome.status, outcome.turns, output, priorities, outcome.stood_aside)
    parts.append(f"## Status\n\n```\n{status}\n```")
    return "\n\n".join(parts) + "\n"


def is_drawn(scenario: Scenario) -> bool:
    """Whether there is a picture: of scores that everybody may see."""
    return scenario.preferences is Preferences.DISCLOSED and bool(scenario.scored) and bool(scenario.issues)


def drawing(scenario: Scenario, events: Sequence[Event], outcome: Outcome) -> str | None:
    """The picture as SVG: satisfaction over the proposals, the frontier, and the agreement on it."""
    if not is_drawn(scenario):
        return None
    return picture(scenario, _packages(scenario, events), _package(scenario, outcome))


def record_in(text: str) -> dict[str, Any] | None:
    """The certificate or proof that stands in a document, or None. Raises ValueError where it is damaged."""
    # A newline in front, so that a record in the first line is found by the same search.
    text = "\n" + text.replace("\r\n", "\n")
    start = text.find(f"\n{FENCE}\n")  # a line of its own: an objection may quote the words
    if start < 0:
        return None
    start += 1 + len(FENCE)
    # The first fence after it ends it: JSON that we wrote holds no line of three backticks.
    end = text.find("\n```", start)
    found = json.loads(text[start : end if end > 0 else None])
    if not isinstance(found, dict):
        raise ValueError("the record is not an object")
    return found


def _count(scenario: Scenario, names: Sequence[str]) -> str:
    return f"{len(names)} of {len(scenario.advocates)} advocates consented"


def _aside(aside: Mapping[str, str]) -> str:
    lines = [f"- {name}{': ' if why else ''}{_line(why)}" for name, why in aside.items()]
    return "\n".join([*lines, "", "They do not support the decision, and do not stand in its way."])


def _priorities(scenario: Scenario, events: Sequence[Event]) -> dict[str, str]:
    said = {e.advocate: e.priority for e in events if isinstance(e, PositionStated)}
    return {a.name: a.priority or said.get(a.name, "") for a in scenario.advocates}


def _terms(scenario: Scenario, terms: Any) -> str:
    if not scenario.issues or not isinstance(terms, Mapping):
        return "\n".join(f"- {_line(t)}" for t in lines_of(terms))
    rows = ["| issue | decided | meaning |", "|---|---|---|"]
    for issue in scenario.issues:
        option = terms[issue.name]
        name = f"{issue.name} ({issue.title})" if issue.title else issue.name
        rows.append(f"| {_cell(name)} | {_cell(option)} | {_cell(issue.meanings.get(option, ''))} |")
    return "\n".join(rows)


def _trades(scenario: Scenario, events: Sequence[Event], outcome: Outcome) -> str:
    lines = []
    package = _package(scenario, outcome)
    # Words computed from scores would tell the scores.
    if package is not None and scenario.scored and scenario.preferences is Preferences.DISCLOSED:
        gives, gets = words(scenario, package)
        lines += [f"- Gave: {_line(g)}" for g in gives.split("; ") if g] + [
            f"- Got: {_line(g)}" for g in gets.split("; ") if g
        ]
    else:
        for event in events:
            if isinstance(event, ProposalTabled) and not (event.offer or event.want):
                lines.append(f"- {event.by} tabled proposal {event.number}: {_line(event.rationale)}")
            elif isinstance(event, ProposalTabled):
                lines.append(f"- {event.by} offered: {_line(event.offer)}")
                lines.append(f"- {event.by} wanted: {_line(event.want)}")
    if not lines and any(isinstance(e, Discussed) and e.text.startswith(SEALED) for e in events):
        return "- Everyone cast a sealed ballot. The terms are what the ballots together came to."
    return "\n".join(lines) or "- Nobody had to trade."


def _reasons(scenario: Scenario, outcome: Outcome) -> str | None:
    """Why this deal, in a paragraph, and who gave what; None where nobody can say."""
    from graphbus_core.negotiation.consent.reasons.story import reasons, told

    package = _package(scenario, outcome)
    # Over everybody who did not object: who stood aside is weighed too.
    found = None if package is None else reasons(scenario, package, outcome.behind)
    return None if found is None or package is None else told(scenario, package, found)


def _objections(events: Sequence[Event], outcome: Outcome) -> str:
    lines = []
    for event in events:
        # What was said against the agreed text and then withdrawn by a vote is not an objection to it.
        if isinstance(event, Objected) and (event.hash != outcome.hash or outcome.status is not Status.DONE):
            reason = shortened(_line(event.reason), SHORT)
            lines.append(f"- To proposal {event.number}, {event.advocate}: {reason}")
    failed = sum(isinstance(e, CheckFailed) for e in events)
    return "\n".join([f"{failed} checks failed.", "", *lines]) if lines else ""


def _attested(record: Mapping[str, Any]) -> str:
    """Who voted what, and when; and of which log this is the end."""
    lines = []
    if record["votes"]:
        lines = ["| advocate | vote | when (UTC) |", "|---|---|---|"]
        lines += [f"| {_cell(v['advocate'])} | {v['vote']} | {v['at'] or 'not kept'} |" for v in record["votes"]]
        lines.append("")
    if record["proposal"] is not None:
        lines.append(f"- Proposal {record['proposal']['number']}, hash {record['proposal']['hash']}.")
    lines.append(f"- Preferences were {record['preferences']}; {record['speaking_turns']} turns were speeches.")
    if record.get("mediator"):
        lines.append(f"- The mediator: {_line(record['mediator'])}.")
    if record["log"] is not None:
        lines.append(f"- Log {record['log']}: {record['facts']} facts, head {record['head']}.")
        lines.append("- `graphbus consent verify` holds every line of this file against that log.")
    else:
        lines.append("- No log was kept.")
    return "## Votes\n\n" + "\n".join(lines)


def _record(record: Mapping[str, Any], files: Mapping[str, str]) -> str:
    if record["kind"] == "agreement":
        title, said = "Certificate", "The terms are text: who agreed to them can be shown, not how good they are."
    elif record["kind"] == "certificate":
        title, said = "Certificate", _certified(record)
    else:
        title, said = "Proof", _proved(record)
    plain = json.dumps({**files, **record}, indent=1, ensure_ascii=False)
    return f"## {title}\n\n{said}\n\n{VERIFY}\n\n{FENCE}\n{plain}\n```"


def _sealed(record: Mapping[str, Any] | None, files: Mapping[str, str]) -> str:
    """With private preferences the document, which everyone reads, carries nothing that is made of them."""
    if record is None:
        return "## Proof\n\nThe preferences are not disclosed: why nothing was agreed cannot be shown without them."
    plain = json.dumps({**files, **record}, indent=1, ensure_ascii=False)
    return f"## Certificate\n\n{_sealed_words(record)}\n\n{VERIFY}\n\n{FENCE}\n{plain}\n```"


def _sealed_words(record: Mapping[str, Any]) -> str:
    aside = record.get("stood_aside", ())
    return (
        f"- {' and '.join(record['advocates'])} consented; no red line of theirs is crossed.\n"
        + (f"- {' and '.join(aside)} stood aside; no red line of theirs is crossed.\n" if aside else "")
        + f"- The preferences are {record['preferences']}: no score, no minimum and no better deal stands here."
    )


def _certified(record: Mapping[str, Any]) -> str:
    lines = [_efficient(record)]
    lines += [_measured(record[name], text) for name, text in MEASURES.items() if record[name]["ratio"] is not None]
    if (choice := record.get("choice")) is not None:
        reached, best = (", ".join(f"{v:.4g}" for v in choice[k]) for k in ("reached", "best"))
        what = "gains" if choice["rule"] == "leximin" else "shares of what each could gain"
        lines.append(f"- Chosen by {choice['rule']}: the {what}, least first, are {reached}; the best possible {best}.")
    if record["red_lines_crossed"]:
        lines.append("- It crosses red lines of advocates that did not consent or could not be checked.")
    if record["scores"]:
        lines += ["", "| advocate | score | minimum |", "|---|---|---|"]
        lines += [f"| {_cell(n)} | {s:g} | {record['minimums'][n]:g} |" for n, s in record["scores"].items()]
    return "\n".join(lines)


def _efficient(record: Mapping[str, Any]) -> str:
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


def _measured(measure: Mapping[str, Any], text: str) -> str:
    if "gap" in measure:
        # Both are told: what was found, and what can still be promised of the unknown best.
        known, least = measure["ratio"], 1 - measure["gap"]
        return f"- {text} ratio {known:.3f} of the best known. That is at least {least:.3f} of the best possible."
    return f"- {text} ratio {measure['ratio']:.3f} of the best possible."


def _proved(record: Mapping[str, Any]) -> str:
    if record["kind"] == "possible":
        return str(record["text"])
    lines = ["These red lines cannot hold together; any fewer of them can:", ""]
    lines += [f"- {_spelled(c)}" for c in record["conflict"]]
    steps = "; ".join(f"{_spelled(s)}, by {round(s['by'], 2):g}" for s in record["relaxation"]["steps"])
    lines += ["", f"The cheapest relaxation: {steps}. Then this is possible:", ""]
    lines += [f"- {k}: {v}" for k, v in record["relaxation"]["agreement"].items()]
    return "\n".join(lines)


def _spelled(entry: Mapping[str, Any]) -> str:
    least = entry["rule"].get("minimum")
    said = f"a total of at least {least:g}" if least is not None else _line(entry["red_line"])
    return f"{entry['advocate']}: {said}"


def _package(scenario: Scenario, outcome: Outcome) -> Package | None:
    if not scenario.issues or not isinstance(outcome.terms, Mapping):
        return None
    return scenario.outcome(outcome.terms)


def _packages(scenario: Scenario, events: Sequence[Event]) -> list[Package]:
    out = []
    for event in events:
        own = isinstance(event, CheckCalled) and event.own_words
        # A check may bring its own words, which are then a proposal that nobody tabled.
        if (isinstance(event, ProposalTabled) or own) and isinstance(event.terms, Mapping) and scenario.issues:  # type: ignore[attr-defined]
            out.append(scenario.outcome(event.terms))  # type: ignore[attr-defined]
    return out


def _line(text: str) -> str:
    # The sentence around it brings its own full stop.
    return " ".join(text.split()).rstrip(".") if text else ""


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")
