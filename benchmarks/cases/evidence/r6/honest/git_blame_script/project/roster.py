from graphbus_core import GraphBusNode, depends_on, schema_method

TEAMS = {
    "writers": {"ann@x.example", "cho@x.example"},
    "runtime": {"bob@x.example"},
    "robots": {"bot@x.example"},
}


class Roster(GraphBusNode):
    @depends_on("History.last_touch")
    @schema_method(input_schema={"email": str}, output_schema={"team": str})
    def owner(self, email):
        for team, members in TEAMS.items():
            if email.casefold() in members:
                return {"team": team}
        return {"team": "nobody"}
