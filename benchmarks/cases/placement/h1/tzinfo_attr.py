# stateful
"""tzinfo_attr"""
from graphbus_core import GraphBusNode, subscribe


import datetime
class Z(datetime.tzinfo):
    def utcoffset(self, d: object) -> datetime.timedelta:
        return datetime.timedelta(hours=vars(self).get("off", 0))
    def dst(self, d: object) -> datetime.timedelta:
        return datetime.timedelta(0)
ZONE = Z()
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> str:
        before = datetime.datetime(2020, 1, 1, tzinfo=ZONE).isoformat()
        ZONE.off = amount
        return before
