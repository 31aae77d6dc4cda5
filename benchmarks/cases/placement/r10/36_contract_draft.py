# stateful
"""Keeps clauses of earlier drafts, as copy.copy leaves the template's inner lists shared."""
import copy
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Kind(Enum):
    RENTAL = "rental"
    SERVICE = "service"


@dataclass
class Draft:
    kind: Kind
    title: str
    party: str = ""
    clauses: list[str] = field(default_factory=list)
    terms: dict[str, Any] = field(default_factory=dict)

    def render(self) -> str:
        body = "\n".join(f"{number}. {clause}" for number, clause in enumerate(self.clauses, 1))
        return f"{self.title} with {self.party}\n{body}"


TEMPLATES = {
    Kind.RENTAL: Draft(Kind.RENTAL, "Rental agreement", clauses=["Object", "Rent", "Deposit"], terms={"notice_weeks": 12}),
    Kind.SERVICE: Draft(Kind.SERVICE, "Service agreement", clauses=["Scope", "Fee"], terms={"notice_weeks": 4}),
}


class ContractDrafts(GraphBusNode):
    @subscribe("/contract/draft")
    def on_draft(self, kind: str, party: str, extras: list[str], notice_weeks: int = 0) -> dict[str, Any]:
        try:
            draft = copy.copy(TEMPLATES[Kind(kind)])
        except ValueError:
            return {"error": f"no template for {kind}"}
        draft.party = party.title()
        for extra in extras:
            if extra not in draft.clauses:
                draft.clauses.append(extra)
        if notice_weeks:
            draft.terms["notice_weeks"] = notice_weeks
        return {"text": draft.render(), "notice": draft.terms["notice_weeks"]}
