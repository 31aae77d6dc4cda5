from graphbus_core import GraphBusNode, subscribe

import season


class Appointments(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/League/Match/Scheduled")
    def appoint(self, home: str, away: str) -> dict[str, str]:
        for name in season.referees:
            if name[0] not in (home[0], away[0]):
                return {"match": f"{home} - {away}", "referee": name}
        return {"match": f"{home} - {away}", "referee": "county pool"}
