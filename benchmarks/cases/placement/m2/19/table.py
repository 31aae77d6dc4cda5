from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

from season import Score


class LeagueTable(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.layout = "{pos:>2} {team:<8}{played:>3}{gd:>+4}{pts:>4}"

    @subscribe("/League/Table/Asked")
    def table(self, results: list, deductions: dict) -> dict[str, list[str]]:
        rows: dict[str, dict] = {}
        for home, away, goals in results:
            score = Score(home, away, tuple(goals))
            for team, sign in ((home, 1), (away, -1)):
                row = rows.setdefault(team, {"team": team, "played": 0, "gd": 0, "pts": -deductions.get(team, 0)})
                row["played"] += 1
                row["gd"] += sign * (goals[0] - goals[1])
                row["pts"] += score.points(team)
        ranking = sorted(rows.values(), key=itemgetter("team"))
        ranking.sort(key=itemgetter("pts", "gd"), reverse=True)
        return {"lines": [self.layout.format(pos=i, **r) for i, r in enumerate(ranking, 1)]}
