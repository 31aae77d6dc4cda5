from typing import TypedDict

class HarbourResult(TypedDict):
    ok: bool

class Harbour:
    def admit(self, depth: float) -> HarbourResult: ...
