import logging

from graphbus_core import GraphBusNode, subscribe

from trail import Collector, log

OFFICES = {"noise": "order", "dog": "order", "pothole": "roads", "lamp": "roads", "bin": "waste"}


class Complaints(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Council/Complaint/Sent")
    def route(self, text: str, verbose: bool) -> dict[str, object]:
        if verbose:
            log.setLevel(logging.DEBUG)
        with Collector() as trail:
            office = "front desk"
            for word in text.lower().split():
                log.debug("looking at %s", word)
                if word in OFFICES:
                    office = OFFICES[word]
                    break
            else:
                log.warning("no office for %r", text)
        return {"office": office, "trail": trail.lines}
