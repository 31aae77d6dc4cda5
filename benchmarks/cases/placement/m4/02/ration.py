import heapq

from graphbus_core import GraphBusNode, subscribe

from herdbook import LocalLedger, breed_of

FEEDS = [
    # name, energy MJ/kg, price/kg
    ('maize silage', 6.6, 0.09),
    ('hay', 5.3, 0.14),
    ('soy meal', 8.6, 0.45),
    ('barley', 8.1, 0.22),
]


class Ration(GraphBusNode):

    @subscribe('/farm/ration')
    def plan(self, tag: str, litres: float) -> dict:
        breed = breed_of(tag)
        need = breed['dm_base'] + breed['kg_per_l'] * litres
        mix = LocalLedger()
        heap = [(price / energy, name) for name, energy, price in FEEDS]
        heapq.heapify(heap)
        share = 0.5
        while heap and mix.total() < need - 0.25:
            _, name = heapq.heappop(heap)
            mix.add(name, round((need - mix.total()) * share, 2))
            share += 0.25
        return {'breed': breed['name'], 'need': round(need, 2), 'mix': mix.lines, 'unit': mix.unit}
