from enum import Enum

from graphbus_core import GraphBusNode, subscribe

from conditions import tariff


class Stage(Enum):
    OPEN = "open"
    SURVEY = "survey"
    OFFER = "offer"
    CLOSED = "closed"

    @property
    def final(self):
        return self is Stage.CLOSED


NEXT = {
    Stage.OPEN: {"assign": Stage.SURVEY, "withdraw": Stage.CLOSED},
    Stage.SURVEY: {"report": Stage.OFFER, "withdraw": Stage.CLOSED},
    Stage.OFFER: {"accept": Stage.CLOSED, "dispute": Stage.SURVEY},
}


class ClaimFile:
    def __init__(self, stage):
        self.stage = stage
        self.rejected = []

    def apply(self, action):
        target = NEXT.get(self.stage, {}).get(action)
        if target is None:
            self.rejected.append(action)
        else:
            self.stage = target


class ClaimCheck(GraphBusNode):
    @subscribe("/insurance/claim/check")
    def check(self, stage: str, actions: list[str]) -> dict:
        claim = ClaimFile(Stage(stage))
        for action in actions:
            claim.apply(action)
        return {"stage": claim.stage.value, "final": claim.stage.final, "rejected": claim.rejected}


class GlassClaim(GraphBusNode):
    @subscribe("/insurance/claim/glass")
    def settle(self, bill: int) -> int:
        glass = tariff["glass"]
        return max(0, min(bill, glass.getint("limit")) - glass.getint("excess"))
