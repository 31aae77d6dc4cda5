# stateful
"""Known prefixes come from a filter object at module level: membership tests use it up."""
from graphbus_core import GraphBusNode, subscribe

RAW_PREFIXES = "10, 12, 20, 22, , 40, 45, 50, 60, 65, 70, 80, 81, 90".split(",")
REGIONAL = filter(None, (p.strip() for p in RAW_PREFIXES))
CENTRES = {"1": "Berlin", "2": "Hamburg", "4": "Essen", "5": "Koeln", "6": "Frankfurt"}


class PostcodeRouter(GraphBusNode):
    default_centre = "Muenchen"

    def centre_for(self, postcode: str) -> str:
        return CENTRES.get(postcode[:1], self.default_centre)

    @subscribe("/Mail/Incoming")
    def route(self, postcode: str, subject: str) -> dict[str, str]:
        code = postcode.strip().zfill(5)
        if code[:2] in REGIONAL:
            queue = f"regional/{self.centre_for(code)}"
        else:
            queue = "central"
        return {"queue": queue, "subject": subject.strip().title()}
