"""Whether the answers of a script are answers, before anybody is asked: said with the place in the file.

What a proposal, an evaluation, a ruling or an approval may hold is read by the negotiation's own forms; here are the
keys that they know (a misspelled one would be passed over in silence), the names of agents, and which line is to blame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import yaml

from graphbus_core.nearest import near_names
from graphbus_core.negotiation.proposal.said import forms

_PROPOSAL = frozenset(
    """id proposal_id proposer src round type proposal_type diff code_change schema_change summary title rationale
    reason reasoning affected_agents dst confidence intent dependencies priority""".split()  # noqa: SIM905
)
_EVALUATION = frozenset(
    """proposal_id evaluator agent decision reasoning reason rationale confidence concerns suggestions counter_proposal
    impact_assessment""".split()  # noqa: SIM905
)
_RULING = frozenset(
    """arbiter proposal_id decision ruling reasoning reason confidence committed_diff deferred_proposals""".split()  # noqa: SIM905
)
_APPROVAL = frozenset(("approve", "reason", "reasoning"))
CHECKED = frozenset(("propose", "evaluate", "arbitrate", "approve"))
ANYBODY = "?"  # whose answer it is, where it stands under `default`

Fault = tuple[yaml.Node, str]


def fault(kind: str, node: yaml.Node, said: Mapping[str, Any], author: str, known: Collection[str]) -> Fault | None:
    """The first thing that is wrong with an answer to a question of `kind`, and the node of the file that says it.

    `known`: the agents of the project. `author`: who gives the answer, or `ANYBODY`.
    """
    if "from" in said and said["from"] not in known:
        return _value(node, "from"), _nobody(said["from"], known)
    body = {k: v for k, v in said.items() if k not in ("round", "from", "about")}
    match kind:
        case "propose" if "proposals" in body:
            return (
                _keys(node, body, frozenset(("proposals",)), "an answer to propose")
                or _proposals(_value(node, "proposals"), body["proposals"], author, known)
                or _read(node, lambda: forms.read_proposals(body, author))
            )
        case "propose":
            return _proposal(node, body, author, known)
        case "evaluate":
            return (
                _keys(node, body, _EVALUATION, "an evaluation")
                or _proposals(_value(node, "counter_proposal"), [body.get("counter_proposal")], author, known)
                or _read(node, lambda: forms.read_evaluation(body, author))
            )
        case "arbitrate":
            stands = {"proposal_id": str(body.get("proposal_id") or "p"), "proposer": ANYBODY}
            return (
                _keys(node, body, _RULING, "a ruling")
                or _proposals(_value(node, "deferred_proposals"), body.get("deferred_proposals"), ANYBODY, known)
                or _read(node, lambda: forms.read_ruling(body, [stands]))
                or _nodes(_value(node, "committed_diff"), body.get("committed_diff"), known)
            )
        case "approve":
            return _keys(node, body, _APPROVAL, "an approval") or _read(node, lambda: forms.read_approval(body))
    return None


def _proposals(node: yaml.Node, given: Any, author: str, known: Collection[str]) -> Fault | None:
    """The proposals among `given`; `node` is the list of them, or the one."""
    if not isinstance(given, list):
        return None  # the form says so
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for at, one in zip(nodes, given, strict=False):
        if isinstance(one, Mapping) and (found := _proposal(at, one, author, known)) is not None:
            return found
    return None


def _proposal(node: yaml.Node, body: Mapping[str, Any], author: str, known: Collection[str]) -> Fault | None:
    found = (
        _keys(node, body, _PROPOSAL, "a proposal")
        or _operations(_value(node, "diff"), body.get("diff"), author, known)
        or _read(node, lambda: forms.read_proposal(body, author))
    )
    if found is not None:
        return found
    read = forms.read_proposal(body, author)
    for name in read["affected_agents"]:
        if name not in known:
            return _value(node, "affected_agents", "dst"), _nobody(name, known)
    return _nodes(_value(node, "diff", "code_change", "schema_change"), read["diff"], known)


def _operations(node: yaml.Node, diff: Any, author: str, known: Collection[str]) -> Fault | None:
    """The first operation of a diff that is not one, or is on nobody."""
    if isinstance(diff, list) and isinstance(node, yaml.SequenceNode):
        for at, part in zip(node.value, diff, strict=False):
            found = _read(at, lambda part=part: forms.read_diff([part], author))
            if found := found or _nodes(at, forms.read_diff([part], author), known):
                return found
    return None


def _nodes(node: yaml.Node, diff: Any, known: Collection[str]) -> Fault | None:
    for op in diff if isinstance(diff, list) else ():
        name = op.get("node") if isinstance(op, Mapping) else None
        if name is not None and name != ANYBODY and name not in known:
            return node, _nobody(name, known)
    return None


def _keys(node: yaml.Node, body: Mapping[str, Any], wanted: frozenset[str], what: str) -> Fault | None:
    for key in body:
        if key not in wanted:
            near = near_names(str(key), sorted(wanted), 2, sure=True)
            hint = f"do you mean {' or '.join(near)}" if near else f"it takes {', '.join(sorted(wanted))}"
            return _key(node, key), f"{what} has no {key!r}; {hint}"
    return None


def _read(node: yaml.Node, read: Any) -> Fault | None:
    """What the form says, with the line of the key that it begins with."""
    try:
        read()
    except forms.Unreadable as e:
        return _value(node, str(e).partition(" ")[0]), str(e)
    return None


def _nobody(name: Any, known: Collection[str]) -> str:
    near = near_names(str(name), sorted(known), 3)
    return (
        f"there is no agent {name}; {'the nearest are' if near else 'the agents are'} {_listed(near or sorted(known))}"
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:20])


def _key(node: yaml.Node, key: Any) -> yaml.Node:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((k for k, _ in pairs if k.value == key), node)


def _value(node: yaml.Node, *keys: str) -> yaml.Node:
    """The value of the first of these keys that is there, else the mapping itself."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((v for key in keys for k, v in pairs if k.value == key), node)
