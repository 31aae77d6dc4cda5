from graphbus_core import GraphBusNode, subscribe

from season import Score, roster


class FormGuide(GraphBusNode):
    """The last five results of both sides after the final whistle."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/League/Match/Finished")
    def finished(self, home: str, away: str, goals: list) -> dict[str, list[int]]:
        score = Score(home, away, tuple(goals))
        clubs = roster()
        for team in (home, away):
            clubs[team].form.append(score.points(team))
        return {"home": clubs[home].form[-5:], "away": clubs[away].form[-5:]}
