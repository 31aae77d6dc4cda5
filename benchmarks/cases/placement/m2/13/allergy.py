from graphbus_core import GraphBusNode, subscribe

import menu


class AllergyCard(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Restaurant/Guest/Seated")
    def card(self, guest: str, avoids: list) -> dict:
        avoid = frozenset(avoids)
        verdicts = {d: sorted(menu.allergens(d) & avoid) for d in menu.RECIPES}
        safe = sorted(d for d, hits in verdicts.items() if not hits)
        notes = [f"{d}: {', '.join(h)}" for d, h in sorted(verdicts.items()) if h]
        return {"guest": guest, "safe": safe, "notes": notes}
