from graphbus_core import GraphBusNode, subscribe

import codes


class QCode(GraphBusNode):
    @subscribe('/coast/qcode')
    def explain(self, code: str) -> str:
        for short, meaning in codes.meanings:
            if short == code:
                return meaning
        return 'not in the book'


class ShipFinder(GraphBusNode):
    @subscribe('/coast/ship')
    def find(self, mmsi: str) -> dict:
        for row in codes.ships():
            if row['mmsi'].startswith(mmsi):
                return {'name': row['name'], 'same flag': [c for c, r in codes.register.items() if r['mmsi'][:3] == row['mmsi'][:3]]}
        return {}
