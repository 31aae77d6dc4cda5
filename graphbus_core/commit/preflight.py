"""try(diff): the gates that need nobody, asked before anybody is bothered with a proposal (design §7).

A model's proposal is tried by itself, and a failure goes back to the model at once, with the diff as it came out and
the end of the error. What fails up to `imports` is never tabled. A new mismatch is not a failure here: a breaking
change is there to be negotiated (seed 000), so it is told to all as computed, like all that the engine found out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphbus_core.commit.gates import imports, mismatches, verify
from graphbus_core.commit.gates.order import GATES, run_gates
from graphbus_core.commit.gates.receipt import Receipt, render_unified_diff
from graphbus_core.commit.gates.trial import Gate, GateResult, GateStatus, Trial
from graphbus_core.errors import ScanError
from graphbus_core.model.operation import parse_operations
from graphbus_core.negotiation.core import Ask, Json
from graphbus_core.negotiation.core.preflight import REFUSED, TRIED
from graphbus_core.negotiation.proposal import answer_parsing
from graphbus_core.negotiation.proposal.effects import changes_links
from graphbus_core.negotiation.proposal.reactions import LINKS

# A new mismatch is not a failure of a try; what is behind `imports` takes minutes.
TRY_GATES: tuple[Gate, ...] = tuple(g for g in GATES[: GATES.index(imports.GATE) + 1] if g is not mismatches.GATE)
DIFF_MAX, ERROR_MAX = 900, 700  # characters that go back to whoever proposed
MISMATCHES_MAX = TESTS_MAX = 5  # that are told of one proposal


def read_diffs(ask: Ask, body: Json) -> list[Sequence[Mapping[str, Any]]]:
    """The diffs that an answer asks for: its proposals', its counter-proposal's, or the arbiter's own."""
    match ask.kind:
        case "propose":
            return [p["diff"] for p in answer_parsing.read_proposals(body, ask.to)]
        case "evaluate":
            return []  # a counter-proposal builds on what it answers, which does not stand yet
        case "arbitrate":
            ruling = answer_parsing.read_ruling(body, ask.about["proposals"])
            return [ruling["committed_diff"]] if ruling["committed_diff"] else []
        case _:
            return []


def may_change_links(ask: Ask, body: Json) -> bool:
    """Whether an answer has a diff that may join what was not joined."""
    return any(changes_links(parse_operations(diff)) for diff in read_diffs(ask, body))


def try_answer(
    ask: Ask, body: Json, try_diff: Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]
) -> Json | None:
    """The result of trying an answer: why it would not hold, or what was found of each diff; None without a diff."""
    diffs = read_diffs(ask, body)
    if not diffs:
        return None
    results = []
    for number, diff in enumerate(diffs, 1):
        result = try_diff(diff)
        if REFUSED in result:
            which = f"Proposal {number} of {len(diffs)}" if len(diffs) > 1 else "It"
            return {REFUSED: f"{which} was tried on a copy of the project. {result[REFUSED]}"}
        results.append(dict(result))
    return {TRIED: results}


def build_refusal(gate: str, why: str, diff: str = "") -> dict[str, str]:
    """The answer to whoever proposed: the gate, the diff as it came out, and the end of the error."""
    shown_diff = diff if len(diff) <= DIFF_MAX else diff[:DIFF_MAX] + "\n[…]"
    error = why if len(why) <= ERROR_MAX else "[…] " + why[-ERROR_MAX:]
    came = f" The diff as it came out:\n{shown_diff}\n" if shown_diff else " "
    return {REFUSED: f"It does not pass the gate {gate}.{came}The error: {error}"}


def run_try_gates(trial: Trial) -> dict[str, Any]:
    """Ask the gates of a try, and say what they found: `refused`, or the gates that passed and the links it touches."""
    ends: list[GateResult] = list(run_gates(TRY_GATES, trial))
    if ends[-1].end is GateStatus.REFUSED:
        return build_refusal(ends[-1].gate, ends[-1].why, render_unified_diff(trial.applied))
    worse, mended, _ = mismatches.compare_links(trial)
    failing = verify.find_newly_failing(trial)
    return {
        "gates": [f"{gate_result.gate}: {gate_result.end}" for gate_result in ends],
        **({"failing_tests": failing[:TESTS_MAX]} if failing else {}),
        "new_mismatches": [str(fault) for fault in worse[:MISMATCHES_MAX]],
        "mended": sorted(mended),
        **run_link_check(trial),
    }


def run_link_check(trial: Trial) -> dict[str, Any]:
    """What a diff breaks and fixes, for whoever is asked about it; nothing where the contracts alone tell that, or
    where it does not come to a scan."""
    if not changes_links(trial.diff):
        return {}
    try:
        worse, mended, left = mismatches.compare_links(trial)
    except ScanError:
        return {}
    links = {"breaks": [fault.to_dict() for fault in worse], "fixes": mended}
    return {LINKS: {**links, **({"left": left} if left else {})}}


def convert_receipt(receipt: Receipt) -> dict[str, Any]:
    """What a diff that could not even be applied says. A ground that moved is not a fault of the diff."""
    return {} if receipt.status == "superseded" else build_refusal(receipt.gate, receipt.reason)
