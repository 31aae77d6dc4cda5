from graphbus_core import GraphBusNode, subscribe

from bands import GRADES
from timesheets import sheet_of


class OvertimeNode(GraphBusNode):
    @subscribe("/Overtime")
    def on_hours(self, team: str, grade: str, hours: int) -> dict:
        covered = sheet_of(team).enter(hours)
        return {"team": team, "paid": covered * GRADES[grade], "unpaid_hours": hours - covered}
