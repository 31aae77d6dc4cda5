from graphbus_core import GraphBusNode, subscribe

from league import Outcome, Table


class FinalWhistle(GraphBusNode):
    """Books a result and repeats it for the loudspeaker."""

    @subscribe("/Match/Over")
    def over(self, home: str, away: str, home_goals: int, away_goals: int) -> dict:
        table = Table()
        table.add(home, Outcome.of(home_goals, away_goals))
        table.add(away, Outcome.of(away_goals, home_goals))
        return {"text": f"{home} {home_goals}:{away_goals} {away}", "draw": home_goals == away_goals}


class Standings(GraphBusNode):
    @subscribe("/Table/Asked")
    def asked(self, top: int) -> list[str]:
        return Table().ranked()[:top]
