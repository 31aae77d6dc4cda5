from graphbus_core import GraphBusNode, subscribe

import catalog


class Trends(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Music/Track/Opened")
    def opened(self, track: str) -> dict:
        fans = catalog.listeners(track)
        share = len(fans) / len(catalog.audience)
        return {"artist": catalog.artist(track), "fans": fans, "share": round(share, 3)}
