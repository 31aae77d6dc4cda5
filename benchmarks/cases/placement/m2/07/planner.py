from graphbus_core import GraphBusNode, subscribe

import terms


class TermPlanner(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/School/Planner/Printed")
    def header(self, school: str, country: str) -> dict:
        return {"title": school.title(), "header": terms.week_header(country)}
