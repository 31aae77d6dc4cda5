# pure
"""The paths found between units are remembered under both units; the graph of units is constant."""
from collections import deque
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

EDGES = [
    ("cup", "tbsp", Fraction(16)),
    ("tbsp", "tsp", Fraction(3)),
    ("cup", "ml", Fraction(240)),
    ("l", "ml", Fraction(1000)),
    ("kg", "g", Fraction(1000)),
    ("lb", "oz", Fraction(16)),
    ("oz", "g", Fraction(2835, 100)),
]
NICE = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔"}


def neighbours() -> dict[str, dict[str, Fraction]]:
    graph: dict[str, dict[str, Fraction]] = {}
    for a, b, factor in EDGES:
        graph.setdefault(a, {})[b] = factor
        graph.setdefault(b, {})[a] = 1 / factor
    return graph


class Converter:
    def __init__(self) -> None:
        self.graph = neighbours()
        self.known: dict[tuple[str, str], Fraction | None] = {}

    def factor(self, source: str, target: str) -> Fraction | None:
        pair = (source, target)
        if pair not in self.known:
            if len(self.known) > 500:
                self.known.clear()
            self.known[pair] = self._search(source, target)
        return self.known[pair]

    def _search(self, source: str, target: str) -> Fraction | None:
        queue = deque([(source, Fraction(1))])
        seen = {source}
        while queue:
            unit, factor = queue.popleft()
            if unit == target:
                return factor
            for other, step in self.graph.get(unit, {}).items():
                if other not in seen:
                    seen.add(other)
                    queue.append((other, factor * step))
        return None


def pretty(amount: Fraction) -> str:
    whole, rest = divmod(amount, 1)
    if rest in NICE:
        return f"{whole or ''}{NICE[rest]}"
    return f"{float(amount):.3g}"


class Recipes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._converter = Converter()

    @subscribe("/recipes/ingredient")
    def on_ingredient(self, name: str, amount: str, unit: str, target: str) -> dict[str, object]:
        factor = self._converter.factor(unit.lower(), target.lower())
        if factor is None:
            return {"name": name, "text": f"{amount} {unit}", "converted": False}
        return {"name": name, "text": f"{pretty(Fraction(amount) * factor)} {target}", "converted": True}
