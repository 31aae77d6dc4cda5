import calendar

from graphbus_core import GraphBusNode, subscribe


class DutyRota(GraphBusNode):
    """Which row of the wall calendar has the duty of a given day?"""

    def __init__(self):
        super().__init__()

    @subscribe("/School/Duty/Asked")
    def row(self, year: int, month: int, day: int, teachers: list) -> dict:
        weeks = calendar.monthcalendar(year, month)
        index = next(i for i, week in enumerate(weeks) if day in week)
        return {"row": index + 1, "teacher": teachers[index % len(teachers)]}
