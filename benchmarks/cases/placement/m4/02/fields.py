import datetime as dt
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

ROTATION = {'wheat': 'rape', 'rape': 'barley', 'barley': 'beet', 'beet': 'wheat'}
SOW = {'wheat': (10, 5), 'rape': (8, 22), 'barley': (9, 25), 'beet': (4, 1)}


class CropRotation(GraphBusNode):
    '''Several years ahead for one field.'''

    def __init__(self):
        super().__init__()
        self.rotation = dict(ROTATION)

    @subscribe('/farm/rotation')
    def ahead(self, crop: str, year: int, years: int) -> dict:
        by_month = defaultdict(list)
        steps = []
        for n in range(years):
            crop = self.rotation.get(crop, 'wheat')
            day = dt.date(year + n, *SOW[crop])
            steps.append(f'{crop} {day:%Y-%m-%d}')
            by_month[day.month].append(crop)
        return {'steps': steps, 'busy': max(by_month, key=lambda m: (len(by_month[m]), m), default=0)}
