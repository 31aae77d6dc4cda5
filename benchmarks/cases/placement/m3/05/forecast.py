from functools import partial

from graphbus_core import GraphBusNode, subscribe

from league import CLUBS, Outcome


def expected(mine: int, theirs: int, *, spread: int) -> float:
    return 1 / (1 + 10 ** ((theirs - mine) / spread))


league_expected = partial(expected, spread=400)
cup_expected = partial(expected, spread=600)


class EloPreview(GraphBusNode):
    KINDS = {"league": league_expected, "cup": cup_expected}

    @subscribe("/Fixture/Announced")
    def preview(self, home: str, away: str, kind: str) -> dict:
        h, a = CLUBS[home], CLUBS[away]
        chance = self.KINDS[kind](h.rating + h.home_edge, a.rating)
        worth = round(chance * Outcome.WIN, 2)
        return {"home": h.full, "chance": round(chance, 3), "worth": worth, "favourite": h.short if chance > 0.5 else a.short}
