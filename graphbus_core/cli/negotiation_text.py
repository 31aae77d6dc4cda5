"""What the commands about negotiations share: plain text, filters, what is wrong with a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from graphbus_core.errors import UsageError
from graphbus_core.services.queries.negotiations import count_outcomes
from graphbus_core.suggestions import suggest_names
from graphbus_core.text import describe_new, escape_line, escape_text, format_count

if TYPE_CHECKING:
    from graphbus_core.services.queries.negotiations import LogFault

DIR_HELP = "The folder of the build."
HUMAN = "human"  # the approver's seat, as the log names it


def print_faults(wrong: Iterable[LogFault]) -> None:
    """What is wrong with a log, on stderr, after what is sound of it was shown. Exits with 1 unless it is harmless."""
    grave = False
    for fault in wrong:
        typer.echo(str(fault), err=True)
        grave = grave or not fault.harmless
    if grave:
        raise typer.Exit(1)


# ------------------------------------------------------------------------------------------------- plain text

FIRST_GATES = ("applies", "path", "limits")  # one of these may say no before any other was passed


def render_overview(log: Mapping[str, Any]) -> str:
    """The first lines: who, how many rounds, what came of it."""
    ended = log.get("ended")
    end = f"ended: {ended['reason']} ({ended['why']})" if ended else "unfinished"
    counts = count_outcomes(log, ("committed", "rejected", "deferred"), dry_run=bool(log.get("dry_run")))
    dry = " (a dry run: nothing was changed)" if log.get("dry_run") else ""
    return escape_text(
        f"{log['build_id'] or 'negotiation'}{dry}: {', '.join(log['agents'])}\n"
        f"{format_count(log['rounds_completed'], 'round')}, {format_count(log['total_proposals'], 'proposal')}: "
        f"{counts}; {end}"
    )


def render_headline(p: Mapping[str, Any]) -> str:
    """One line of a proposal."""
    what = f"{p['type'].replace('_', ' ')}: {p['summary']}"
    return escape_line(f"{p['id']}  {p['outcome']:<13} {render_proposer(p)}  {what}{_render_reservation(p)}")


def render_proposer(p: Mapping[str, Any]) -> str:
    """Who proposes: an agent, or the person that it speaks for."""
    return f"{p['proposed_by']}, for {p['proposer']}" if p.get("proposed_by") else str(p["proposer"])


def render_approval(approved: Mapping[str, Any]) -> str:
    """Who let it be committed, and why."""
    who = "the operator" if approved["by"] == HUMAN else approved["by"]
    return f"approved by {who}" + (f" - {approved['reason']}" if approved.get("reason") else "")


def _render_reservation(p: Mapping[str, Any]) -> str:
    """What keeps a committed proposal from being in the files."""
    if p.get("dry_run"):
        return " (dry run)"
    return " (taken back)" if p.get("undone") else ""


def render_details(p: Mapping[str, Any]) -> str:
    """Everything about a proposal, as text. Lines that a participant wrote stand deeper than those of ours."""
    # Deeper than ours: a rationale that says "committed" on a line of its own must not look like the engine's word.
    return "\n".join(escape_text(line).replace("\n", "\n      ") for line in _list_details(p))


def _list_details(p: Mapping[str, Any]) -> Iterator[str]:
    yield render_headline(p)
    if p.get("answers_to"):
        yield f"  answers {p['answers_to']} ({p.get('origin') or 'deferred'})"
    if p.get("label") and p["label"] != p["type"]:
        yield f"  called {p['label']} by its proposer; computed: {p['type']}"
    if p.get("rationale"):
        yield f"  why: {p['rationale']}"
    for op in p.get("diff", ()):
        yield f"  change: {render_operation(op)}"
    for change in p.get("changes", ()):
        yield f"  contract: {change['symbol']} {change['side']}: {change['message']}" + (
            " (breaking)" if change["breaking"] else ""
        )
    for broken in p.get("breaks", ()):
        yield f"  breaks {broken['link']}: {describe_new(broken['reasons'], broken.get('stood', ()))}"
        if broken.get("counterexample") is not None:
            yield f"    for example {broken['counterexample']!r}"
    for link in p.get("fixes", ()):
        yield f"  mends {link}"
    yield from (f"  {sentence}" for key in ("unsent", "never_sent") for sentence in p.get(key, ()))
    for left in p.get("left", ()):
        mended = f"mends {', '.join(left['mended'])} of {left['link']}" if left["mended"] else f"leaves {left['link']}"
        yield f"  {mended}, which does not fit yet: {'; '.join(left['reasons'])}"
    for evaluation in p["evaluations"]:
        yield f"  {evaluation['agent']}: {evaluation['decision'].replace('_', ' ')}" + (
            f" - {evaluation['reasoning']}" if evaluation.get("reasoning") else ""
        )
    if approved := p.get("approved"):
        yield f"  {render_approval(approved)}"
    if ruling := p.get("arbitration"):
        yield f"  {ruling['arbiter']} rules {ruling['decision'].replace('_', ' ')}: {ruling['ruling']}"
    yield from _list_end(p)
    if p.get("files_changed"):
        yield f"  files: {', '.join(p['files_changed'])}"
    if p.get("unified_diff"):
        yield ""
        yield from ("    " + line for line in p["unified_diff"].splitlines())


def _list_end(p: Mapping[str, Any]) -> Iterator[str]:
    """How it ended, and which gates it came through."""
    from graphbus_core.services.queries.negotiations import render_gates

    gates = p.get("gates")
    decided = (
        f" ({p['decided_by'].replace('_', ' ')})" if p.get("decided_by") and not (gates and gates["failed"]) else ""
    )
    outcome_text = "would be committed" if p.get("dry_run") else p["outcome"].replace("_", " ")
    if gates and gates["failed"]:
        outcome_text += f" at the gate {gates['failed']['gate'] or 'of the engine'}"
    yield f"  {outcome_text}{decided}" + (f": {p['why']}" if p.get("why") else "")
    if p.get("dry_run"):
        yield "  dry run: nothing was changed"
    if p.get("undone"):
        yield f"  taken back{f' on {day}' if (day := (p['undone']['at'] or '')[:10]) else ''} (graphbus undo {p['id']})"
    if gates and gates["passed"]:
        yield f"  gates passed: {', '.join(gates['passed'])}"
        yield from (f"  {line}" for line in render_gates(gates.get("ends", ())) if not line.startswith("proved"))
    elif p["outcome"] == "committed" or (gates and gates["failed"]["gate"] not in FIRST_GATES):
        # Gates before the first recorded one may have passed in logs of the first edition, which did not keep them.
        yield "  gates passed: not recorded in this log"


def render_operation(op: Mapping[str, Any]) -> str:
    """One operation in a line; code is told by its size."""
    rest = {k: v for k, v in op.items() if k not in ("op", "node", "method", "topic", "side", "field")}
    symbol = f"{op['node']}.{op['method']}" if op.get("method") else op["node"]
    symbol = f"{op['node']} -> {op['topic']}" if op.get("topic") else symbol
    symbol += "".join(f".{op[k]}" for k in ("side", "field") if op.get(k))
    words = []
    for name, value in rest.items():
        if name in ("body", "source"):
            words.append(f"{len(str(value).splitlines())} lines")
        else:
            words.append(f"{name}={value}" if name != "to" else f"to {value}")
    return f"{op['op'].replace('_', ' ')} {symbol}" + (f" ({', '.join(words)})" if words else "")


# ------------------------------------------------------------------------------------------------- filters

KEYS = ("agent", "round", "outcome", "type", "party")


def read_filters(filter_texts: list[str]) -> dict[str, str]:
    """`key=value` pairs. Raises UsageError for a key that is not one."""
    filters: dict[str, str] = {}
    for filter_text in filter_texts:
        key, mark, value = filter_text.partition("=")
        if not mark or key not in KEYS:
            raise UsageError(f"--filter {filter_text}: write key=value, with a key of {', '.join(KEYS)}.")
        filters[key] = value
    return filters


def check_filters(filters: Mapping[str, str], log: Mapping[str, Any]) -> None:
    """Raises UsageError for a value that no proposal of this negotiation can have, with the values that it can."""
    for key, value in filters.items():
        known_values = list_filter_values(key, log)
        # With no value known nothing can be wrong: an empty negotiation takes any filter.
        if value not in known_values and known_values:
            near = suggest_names(value, known_values)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UsageError(f"--filter {key}={value}: {hint}{key} is one of {', '.join(known_values)}.")


def list_filter_values(key: str, log: Mapping[str, Any]) -> list[str]:
    """What a filter may ask for in this negotiation."""
    from graphbus_core.services.queries.negotiations import OUTCOMES, TYPES

    proposals = [p for r in log["rounds"] for p in r["proposals"]]
    match key:
        case "round":
            return [str(r["round"]) for r in log["rounds"]]
        case "outcome":
            return list(dict.fromkeys([*OUTCOMES, *(p["outcome"] for p in proposals)]))
        case "type":
            return list(dict.fromkeys([*TYPES, *(p["type"] for p in proposals)]))
    people = [*log["agents"], *log.get("arbiters", ()), *(name for p in proposals for name in list_parties(p))]
    return list(dict.fromkeys(people))


def list_parties(p: Mapping[str, Any]) -> list[str]:
    """Who had a part in a proposal: its proposer, its evaluators, its arbiter."""
    ruled = [p["arbitration"]["arbiter"]] if p.get("arbitration") else []
    return [p["proposer"], *(evaluation["agent"] for evaluation in p["evaluations"]), *ruled]


def matches_filters(p: Mapping[str, Any], round: int, filters: Mapping[str, str], search: str = "") -> bool:
    """Whether a proposal passes the filters; `agent` is who proposed it (seed 000), `party` who had any part in it."""
    has = {"agent": [p["proposer"]], "round": [str(round)], "outcome": [p["outcome"]], "type": [p["type"]]}
    has["party"] = list_parties(p)
    if any(value not in has[key] for key, value in filters.items()):
        return False
    return not search or search.lower() in render_details(p).lower()


def filter_proposals(log: Mapping[str, Any], filters: Mapping[str, str], search: str = "") -> dict[str, Any]:
    """The projection with those proposals alone that pass."""
    rounds = [
        {**r, "proposals": [p for p in r["proposals"] if matches_filters(p, r["round"], filters, search)]}
        for r in log["rounds"]
    ]
    if filters or search:
        rounds = [r for r in rounds if r["proposals"]]
    return {**log, "rounds": rounds}
