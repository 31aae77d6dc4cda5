from graphbus_core import GraphBusNode, subscribe

from earth import Place, distance, signpost


class SignPainter(GraphBusNode):
    @subscribe("/Sign/Ordered")
    def ordered(self, here: str, lat: float, lon: float, goal: str, goal_lat: float, goal_lon: float) -> str:
        return signpost(Place(lat, lon, here), Place(goal_lat, goal_lon, goal))


class NearestHut(GraphBusNode):
    HUTS = (Place(46.5, 8.0, "Konkordia"), Place(46.6, 8.1, "Gleckstein"), Place(46.0, 7.7, "Hoernli"))

    @subscribe("/Hiker/Lost")
    def lost(self, lat: float, lon: float) -> dict:
        me = Place(lat, lon, "hiker")
        hut = min(self.HUTS, key=lambda h: distance(me, h))
        return {"hut": hut.label, "km": distance(me, hut)}
