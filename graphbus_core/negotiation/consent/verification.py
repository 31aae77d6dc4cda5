"""A certificate or a proof computed again: what somebody hands out is checked for each thing that it claims.

What was agreed, by whom, how good it is, which better deal there is; or which red lines conflict, and what would give
way. Pure: the scenario and the claim come in, sentences go out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphbus_core.negotiation.consent.certificate import (
    build_certificate,
    build_proof,
    build_sort_key,
    compute_digest,
    compute_measure_values,
    compute_public_digest,
    compute_scores,
    list_relaxation_steps,
    serialize_red_line,
    strip_numbers,
)
from graphbus_core.negotiation.consent.optimum.results import compute_relaxation
from graphbus_core.negotiation.consent.optimum.search import find_deadlock, is_enumerable
from graphbus_core.negotiation.consent.scenario.model import EPSILON, Package, RedLine, Scenario

ASIDE = frozenset(
    {"scenario_file", "log_file", "picture_file", "attested", "kind"}
)  # of a record: held against the log, not computed


def verify_record(scenario: Scenario, claimed: Mapping[str, Any]) -> list[str]:
    """What of a certificate or a proof does not hold, one sentence each; empty: all of it does.

    A better deal, a best agreement, a conflict or a relaxation need not be the one that we would find: it is checked
    for what it claims.
    """
    try:
        return _verify_by_kind(scenario, claimed)
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        # A record comes from outside. A missing key is a fault of the record, and not of whoever checks it.
        return [f"it does not have the form of a {claimed.get('kind')} ({type(e).__name__}: {e})"]


def _verify_by_kind(scenario: Scenario, claimed: Mapping[str, Any]) -> list[str]:
    kind = claimed.get("kind")
    sealed = kind == "certificate" and claimed.get("preferences") in ("private", "sealed")
    wrong: list[str] = []
    if claimed.get("scenario") != (compute_public_digest(scenario) if sealed else compute_digest(scenario)):
        wrong.append("it was made for another scenario than this one")
    if kind == "agreement":  # words: nothing in it can be computed
        missing = [f"{key} is missing" for key in ("agreement", "advocates") if not claimed.get(key)]
        extra = sorted(set(claimed) - {"scenario", "agreement", "advocates", "stood_aside"} - ASIDE)
        return [*wrong, *missing, *(f"{key} is not part of it" for key in extra)]
    if kind == "certificate":
        return wrong + _verify_certificate(scenario, claimed, sealed)
    if kind == "possible":
        return wrong + _verify_possible(scenario, claimed)
    if kind == "deadlock":
        return wrong + _verify_deadlock(scenario, claimed)
    return [*wrong, f"{kind!r} is neither a certificate nor a proof"]


def _verify_certificate(scenario: Scenario, claimed: Mapping[str, Any], sealed: bool) -> list[str]:
    try:
        outcome = scenario.parse_terms(claimed["agreement"])
    except (KeyError, ValueError, AttributeError, TypeError) as e:
        return [f"the agreement is not possible in this scenario: {e}"]
    names, aside = claimed.get("advocates", ()), claimed.get("stood_aside", ())
    forfeited = claimed.get("forfeited", ())
    behind = [*names, *aside]
    if strangers := {*behind, *forfeited} - set(scenario.names):
        return [f"there is no advocate {min(strangers)!r}"]
    fresh = build_certificate(scenario, outcome, names, aside, forfeited)
    wrong = _explain_not_agreed(scenario, names, aside, forfeited)
    if fresh["red_lines_crossed"]:
        wrong.append(f"it crosses a red line of {fresh['red_lines_crossed'][0]['advocate']}")
    if sealed:
        fresh = {
            **(strip_numbers(scenario, fresh) or {}),
            "preferences": claimed["preferences"],
        }  # held against the log
        unknown = sorted(set(claimed) - set(fresh) - ASIDE)
        wrong += [f"{u} cannot stand in a certificate of private preferences" for u in unknown]
        return wrong + _compare_values(fresh, claimed, ())
    wrong += _check_unfinished_search(scenario, fresh, claimed)
    wrong += _compare_values(fresh, claimed, ("better", "best_agreement"))
    if fresh["better"] is not None and claimed.get("better") is not None:
        wrong += _verify_better(scenario, outcome, behind, claimed["better"])
    return wrong + _verify_best(scenario, fresh, claimed, behind)


def _explain_not_agreed(
    scenario: Scenario, names: Sequence[str], aside: Sequence[str], forfeited: Sequence[str]
) -> list[str]:
    """Why these are not enough to decide; empty: they are."""
    wrong = []
    if not scenario.is_agreed(names, {*aside, *forfeited}):
        wrong.append("too few advocates stand behind it")
    if aside and not scenario.stand_aside:
        wrong.append("this decision does not allow anybody to stand aside")
    if both := set(names) & set(aside):
        wrong.append(f"{min(both)} cannot have consented and stood aside")
    if both := {*names, *aside} & set(forfeited):
        wrong.append(f"{min(both)} cannot have voted and had no say")
    return wrong


def _verify_best(
    scenario: Scenario, fresh: Mapping[str, Any], claimed: Mapping[str, Any], names: Sequence[str]
) -> list[str]:
    """Whether each agreement that is named as the best of its kind reaches what is claimed of it."""
    wrong = []
    for name in ("nash", "egalitarian", "utilitarian"):
        agreement = claimed[name].get("best_agreement")
        if agreement is None or fresh[name]["best"] is None:
            continue
        try:
            reached_value = _compute_value(scenario, scenario.parse_terms(agreement), names, name)
        except (ValueError, AttributeError, TypeError) as e:
            wrong.append(f"{name}.best_agreement is not possible in this scenario: {e}")
            continue
        if reached_value is None or not _is_close(reached_value, fresh[name]["best"]):
            wrong.append(f"{name}.best_agreement does not reach {fresh[name]['best']:g}")
    return wrong


def _check_unfinished_search(scenario: Scenario, fresh: dict[str, Any], claimed: Mapping[str, Any]) -> list[str]:
    """What a search that ran out of time claims, held against what is found now; `fresh` then says the same.

    Two machines get differently far in the same time. So a claimed bound need not be ours: it must not lie below what
    is reached, nor below what we can prove. A claimed "not known" is true where the search may have run out.
    """
    wrong: list[str] = []
    if is_enumerable(scenario):
        return wrong  # nothing runs out here: every difference is one
    if claimed.get("pareto_efficient", False) is None:
        fresh["pareto_efficient"] = None
    elif fresh["pareto_efficient"] is None:
        wrong.append("that nobody can gain without another losing could not be proved again in the solver's time")
        fresh["pareto_efficient"] = claimed.get("pareto_efficient")
    for name in ("nash", "egalitarian", "utilitarian"):
        now, claim = fresh[name], claimed[name]
        if "bound" not in now and "bound" not in claim:
            continue
        reached, best = now["best"], claim["best"]
        if not isinstance(best, float | int) or isinstance(best, bool):
            wrong.append(f"{name}.best is not a number")
            continue
        bound = claim.get("bound", best)
        if bound < max(reached, best) - 1e-9 * abs(reached):
            wrong.append(f"{name}: {max(reached, best):g} can be reached, which is more than its bound {bound:g}")
        elif bound < now.get("bound", reached) * (1 - 1e-6):
            wrong.append(f"{name}: the bound {bound:g} could not be proved again, {now.get('bound', reached):g} could")
        if "bound" in claim and not _is_close((bound - best) / max(abs(bound), EPSILON), claim.get("gap")):
            wrong.append(f"{name}.gap is not the share between best and bound")
        fresh[name] = {**claim, "value": now["value"]}
        if best > 0 and not _is_close(now["value"] / best, claim.get("ratio")):
            wrong.append(f"{name}.ratio is {now['value'] / best:g}, not {claim.get('ratio')}")
    return wrong


def _compute_value(scenario: Scenario, outcome: Package, names: Sequence[str], name: str) -> float | None:
    """Nash, egalitarian or utilitarian value of an outcome; None where it crosses a red line of these advocates."""
    if any(scenario.find_crossed_lines(n, outcome) for n in names):
        return None
    return compute_measure_values(scenario, outcome, names)[name]


def _verify_better(scenario: Scenario, outcome: Package, names: Sequence[str], claimed: Mapping[str, Any]) -> list[str]:
    try:
        better = scenario.parse_terms(claimed["agreement"])
    except (KeyError, ValueError, AttributeError, TypeError) as e:
        return [f"the better deal is not possible in this scenario: {e}"]
    seats = [a for a in scenario.scored_advocates if a.name in names]
    gains = [a.score(better) - a.score(outcome) for a in seats]
    if any(scenario.find_crossed_lines(n, better) for n in names):
        return ["the better deal crosses a red line"]
    if min(gains, default=0.0) < -EPSILON or max(gains, default=0.0) <= EPSILON:
        return ["the better deal is not better for someone and worse for nobody"]
    return _compare_values(compute_scores(scenario, better), claimed.get("scores"), (), "better.scores")


def _verify_possible(scenario: Scenario, claimed: Mapping[str, Any]) -> list[str]:
    fresh = build_proof(scenario) or {}
    if fresh.get("kind") != "possible":
        return ["nothing can be agreed in this scenario"]
    names = claimed["advocates"]
    if extra := sorted(set(claimed) - set(fresh) - ASIDE):
        return [f"{key} is not part of it" for key in extra]
    try:
        outcome = scenario.parse_terms(claimed["agreement"])
    except (KeyError, ValueError, AttributeError, TypeError) as e:
        return [f"the agreement is not possible in this scenario: {e}"]
    wrong = []
    if set(names) - set(scenario.names) or not scenario.is_agreed(names):
        wrong.append("the advocates that it names are not enough, or not of this scenario")
    elif crossed := [n for n in names if scenario.find_crossed_lines(n, outcome)]:
        wrong.append(f"the agreement crosses a red line of {crossed[0]}")
    return wrong if claimed.get("text") == fresh["text"] else [*wrong, f"text should be {fresh['text']!r}"]


def _verify_deadlock(scenario: Scenario, claimed: Mapping[str, Any]) -> list[str]:
    fresh = build_proof(scenario)
    if fresh is None or fresh["kind"] != "deadlock":
        return ["the red lines of this scenario can hold together"]
    wrong = [f"{key} is not part of it" for key in set(claimed) - set(fresh) - ASIDE]
    if claimed.get("bounded") != fresh.get("bounded"):
        wrong.append(f"bounded is {fresh.get('bounded')}, not {claimed.get('bounded')}")
    wrong += _verify_conflict(scenario, fresh, claimed, scenario.names)
    groups_of = {tuple(g["advocates"]): g for g in fresh.get("groups", ())}
    claimed_groups = {tuple(g["advocates"]): g for g in claimed.get("groups", ())}
    if set(groups_of) != set(claimed_groups) or len(claimed_groups) != len(claimed.get("groups", ())):
        return [*wrong, "groups: it should show a conflict of each group that would be enough, once"]
    for names, group in claimed_groups.items():
        group_faults = _verify_conflict(scenario, groups_of[names], group, names)
        wrong += [f"the group of {' and '.join(names)}: {w}" for w in group_faults]
    return wrong


def _verify_conflict(
    scenario: Scenario, fresh: Mapping[str, Any], claimed: Mapping[str, Any], names: Sequence[str]
) -> list[str]:
    wrong = []
    mine = scenario.list_red_lines(names)
    known_lines = {build_sort_key(serialize_red_line(scenario, line)): line for line in mine}
    lines = [known_lines.get(build_sort_key(entry)) for entry in claimed.get("conflict", ())]
    if not lines or None in lines:
        return ["the conflict names a red line that this scenario does not have"]
    chosen = [line for line in lines if line is not None]
    if len(chosen) != len(fresh["conflict"]):
        wrong.append(f"a smallest conflict has {len(fresh['conflict'])} red lines, not {len(chosen)}")
    if can_hold(scenario, chosen):
        wrong.append("the red lines of the conflict can hold together")
    for n, line in enumerate(chosen):
        if not can_hold(scenario, chosen[:n] + chosen[n + 1 :]):
            wrong.append(f"the conflict is one even without {line.advocate}: {line.text}")
    relaxation = claimed["relaxation"]
    extra = [*set(claimed) - set(fresh) - ASIDE, *set(relaxation) - set(fresh["relaxation"])]
    wrong += [f"{key} is not part of it" for key in extra]
    cheapest = fresh["relaxation"]
    if not _is_close(cheapest["cost"], relaxation.get("cost")):
        wrong.append(f"the cheapest relaxation costs {cheapest['cost']:g}")
    try:
        outcome = scenario.parse_terms(relaxation["agreement"])
    except (KeyError, ValueError, AttributeError, TypeError):
        return [*wrong, "the relaxation makes no agreement of this scenario possible"]
    costs_here = compute_relaxation(scenario, mine, outcome)
    # What its agreement takes, and not what it says: a dearer agreement may stand beside the right total.
    if len(costs_here.steps) > len(cheapest["steps"]):
        wrong.append(f"its agreement relaxes {len(costs_here.steps)} red lines; {len(cheapest['steps'])} are enough")
    elif not _is_close(cheapest["cost"], costs_here.cost):
        wrong.append(f"the steps cost {costs_here.cost:g} together; the cheapest relaxation costs {cheapest['cost']:g}")
    needed = list_relaxation_steps(scenario, costs_here)
    claimed_steps = {
        build_sort_key({k: s[k] for k in ("advocate", "red_line", "rule")}): s for s in relaxation.get("steps", ())
    }
    for step in needed:
        key = build_sort_key({k: step[k] for k in ("advocate", "red_line", "rule")})
        if key not in claimed_steps:
            wrong.append(f"the relaxation does not mention {step['advocate']}: {step['red_line']}")
        else:
            wrong += _compare_values(step, claimed_steps[key], (), f"the step of {step['advocate']}")
    if len(relaxation.get("steps", ())) > len(needed):
        wrong.append("the relaxation names a step that its agreement does not need")
    return wrong


def can_hold(scenario: Scenario, lines: Sequence[RedLine]) -> bool:
    """Whether some outcome crosses none of these red lines."""
    kept_ids = [id(line) for line in lines]
    seats = tuple(replace(a, red_lines=tuple(x for x in a.red_lines if id(x) in kept_ids)) for a in scenario.advocates)
    return find_deadlock(replace(scenario, advocates=seats)) is None


def _compare_values(fresh: Any, claimed: Any, skip: Sequence[str], path: str = "") -> list[str]:
    if isinstance(fresh, Mapping):
        if not isinstance(claimed, Mapping):
            return [f"{path or 'it'} should be {fresh}"]
        out = [f"{f'{path}.' if path else ''}{key} is not part of it" for key in set(claimed) - set(fresh) - ASIDE]
        for key, value in fresh.items():
            if key == "scenario" or (key in skip and (value is None) == (claimed.get(key) is None)):
                continue
            out += _compare_values(value, claimed.get(key), skip, f"{path}.{key}" if path else key)
        return out
    if isinstance(fresh, float | int) and not isinstance(fresh, bool):
        return [] if _is_close(fresh, claimed) else [f"{path} is {fresh:g}, not {claimed}"]
    if isinstance(fresh, bool):
        return [] if fresh is claimed else [f"{path} is {fresh}, not {claimed}"]
    return [] if fresh == claimed else [f"{path} is {fresh}, not {claimed}"]


def compare_record_parts(fresh: Any, claimed: Any, path: str) -> list[str]:
    """What a part of a record says otherwise than the log, one sentence each."""
    if isinstance(fresh, list) and isinstance(claimed, list | tuple) and len(fresh) == len(claimed):
        pairs = enumerate(zip(fresh, claimed, strict=True))
        return [w for n, (f, c) in pairs for w in compare_record_parts(f, c, f"{path}[{n}]")]
    return _compare_values(fresh, claimed, (), path)


def _is_close(fresh: float, claimed: Any) -> bool:
    number = isinstance(claimed, float | int) and not isinstance(claimed, bool)
    return number and math.isclose(fresh, claimed, rel_tol=1e-6, abs_tol=1e-9)  # nine decimals are written
