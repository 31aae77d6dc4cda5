"""Whether an answer is one: read, and tried on the contracts that the ask itself carries.

Needs the ask alone (design §2), so that the driver may send a retry early and a restart refuses the same.
"""

from __future__ import annotations

import ast
import posixpath
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphbus_core.model.operation import AddAgent, parse_operations
from graphbus_core.negotiation.core.protocol import Ask, Json
from graphbus_core.negotiation.proposal import answer_parsing
from graphbus_core.negotiation.proposal.answer_parsing import Unreadable
from graphbus_core.negotiation.proposal.effects import Inapplicable, apply_to_contracts
from graphbus_core.negotiation.proposal.project_view import Surface

# What a proposer in seed 002's form says of the code it changes (`file_path`, `old_code`), held against what it saw.
#
# A change that was made for other code than there is must not land by luck: the canonical operations carry neither
# field, so they are compared when the answer is read. Pure; needs the cards of the ask alone.


def check_seen_code(proposal: Mapping[str, Any], author: str, cards: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises Unreadable where `file_path` is not the agent's file, or `old_code` is not in its method.

    `cards` as shown to whoever answers; the source stands on its own card only, so others' code is not compared.
    """
    for part in _list_code_changes(proposal):
        target = str(part.get("target") or part.get("method") or "")
        owner, _, method = target.rpartition(".")
        card = cards.get(str(part.get("node") or owner or author))
        if card is None:
            continue  # said elsewhere
        stated_path = part.get("file_path")
        if stated_path and not _is_same_file(str(stated_path), card["file"]):
            raise Unreadable(
                f"file_path is {stated_path}, and {card['name']} stands in {card['file']}; which one is meant?"
            )
        old = part.get("old_code")
        if old and "source" in card and part.get("change_type", "modify") != "add":
            _check_old_code(str(old), card, method)


def _list_code_changes(proposal: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Its parts in the form of seed 002, wherever they may stand."""
    parts = proposal.get("diff") or proposal.get("code_change") or ()
    for part in [parts] if isinstance(parts, Mapping) else parts if isinstance(parts, list | tuple) else ():
        if isinstance(part, Mapping) and "op" not in part and ("change_type" in part or "new_code" in part):
            yield part


def _is_same_file(stated: str, file: str) -> bool:
    """Whether a path means this file: from the project's root, from further out, or from nearer."""
    path = posixpath.normpath(stated.replace("\\", "/")).lstrip("/")
    return path == file or path.endswith("/" + file) or file.endswith("/" + path)


def _check_old_code(old: str, card: Mapping[str, Any], method: str) -> None:
    source = _extract_method(card["source"], method) or card["source"]
    if _normalize_lines(old) not in _normalize_lines(source):
        raise Unreadable(
            f"old_code is not what {card['name']}.{method} holds now; it holds:\n{textwrap.dedent(source).strip()}"
        )


def _extract_method(source: str, name: str) -> str | None:
    """The text of a method, decorators and all; None where it cannot be found."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = textwrap.dedent(source).splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            return "\n".join(lines[first - 1 : node.end_lineno])
    return None


def _normalize_lines(text: str) -> str:
    """Text without indentation, blank lines and trailing space, which models and editors do not keep."""
    stripped: Iterable[str] = (line.strip() for line in text.splitlines())
    return "\n" + "\n".join(line for line in stripped if line) + "\n"


def check_answer(ask: Ask, body: Json) -> str | None:
    """Why `body` is not an answer to `ask`, or None."""
    if not isinstance(body, Mapping):
        return "an answer is an object"
    try:
        match ask.kind:
            case "propose":
                _check_proposals(ask, body)
            case "evaluate":
                _check_evaluation(ask, body)
            case "arbitrate":
                _check_ruling(ask, body)
            case "approve":
                answer_parsing.read_approval(body)
            case "choose":
                answer_parsing.read_choice(body, [c["name"] for c in ask.about["candidates"]])
            case _:
                return f"{ask.kind} is not a question of this negotiation"
    except (answer_parsing.Unreadable, Inapplicable) as e:
        return str(e)
    return None


def _check_proposals(ask: Ask, body: Json) -> None:
    questions = answer_parsing.read_questions(body, ask.to)
    proposals = [
        *answer_parsing.read_proposals(body, ask.to),
        *(c["proposal"] for q in questions for c in q["candidates"]),
    ]
    if not proposals:
        return
    agents = _ShownAgents([ask.about["card"], *ask.about["neighbours"], *ask.about.get("along", ())])
    for raw in answer_parsing.list_raw_proposals(body):
        check_seen_code(raw, ask.to, agents.cards)
    for proposal in proposals:
        agents.check_nodes(proposal["diff"])
        apply_to_contracts(parse_operations(proposal["diff"]), agents.find_surface)


def _check_evaluation(ask: Ask, body: Json) -> None:
    read = answer_parsing.read_evaluation(body, ask.to)
    if read["counter_proposal"]:
        # Whether it fits is seen next round: it may build on what this proposal adds.
        touched = [op["node"] for op in ask.about["proposal"]["diff"]]
        agents = _ShownAgents([ask.about["card"], *ask.about["neighbours"]], touched)
        check_seen_code(body["counter_proposal"], ask.to, agents.cards)
        agents.check_nodes(read["counter_proposal"]["diff"])


def _check_ruling(ask: Ask, body: Json) -> None:
    proposals: Sequence[Mapping[str, Any]] = ask.about["proposals"]
    read = answer_parsing.read_ruling(body, proposals)
    agents = _ShownAgents(ask.about["cards"])
    if read["committed_diff"]:
        agents.check_nodes(read["committed_diff"])
        allowed = set(ask.about["computed"][read["proposal_id"]]["files"])
        for op in read["committed_diff"]:
            file = op.get("path") or agents.files[op["node"]]
            if file not in allowed:
                raise answer_parsing.Unreadable(
                    f"the diff adds {file}; an arbiter may change a diff, not add files to it"
                )
        apply_to_contracts(parse_operations(read["committed_diff"]), agents.find_surface)
    for part in read["deferred"]:
        agents.check_nodes(part["diff"])


class _ShownAgents:
    """The agents that whoever answers has been shown."""

    def __init__(self, cards: Iterable[Mapping[str, Any]], also: Iterable[str] = ()) -> None:
        self.cards = {card["name"]: card for card in cards}
        self.files = {name: card["file"] for name, card in self.cards.items()}
        self.also = set(also)

    def check_nodes(self, diff: Iterable[Mapping[str, Any]]) -> None:
        """Raises Unreadable for an operation on an agent that was not shown."""
        for op in diff:
            if op["op"] == AddAgent.op:  # nobody can be shown what is not there yet; whether it may be is for the gates
                continue
            if op["node"] not in self.cards and op["node"] not in self.also:
                raise answer_parsing.Unreadable(
                    f"the diff touches {op['node']}; the agents that you are shown are {', '.join(self.cards)}"
                )

    def find_surface(self, node: str) -> Surface | None:
        """The contracts on a card."""
        card = self.cards.get(node)
        return None if card is None else Surface.from_card(card)
