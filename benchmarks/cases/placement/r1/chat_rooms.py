# stateful
import weakref

from graphbus_core import GraphBusNode, subscribe

_rooms = weakref.WeakKeyDictionary()


def people_in(lobby, room):
    return _rooms.setdefault(lobby, {}).setdefault(room, set())


class Lobby(GraphBusNode):
    @subscribe("/Chat/Entered")
    def on_entered(self, payload):
        here = people_in(self, payload["room"])
        here |= {payload["who"]}
        self.publish("/Chat/Present", {"people": sorted(here)})
