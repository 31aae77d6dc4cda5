# stateful
"""calendar.setfirstweekday changes the module-wide calendar, so a US letter changes the layout of later ones."""
import calendar

from graphbus_core import GraphBusNode, subscribe


def month_block(year: int, month: int) -> str:
    return calendar.month(year, month).rstrip()


class LetterCalendar(GraphBusNode):
    """Adds the little calendar at the foot of appointment letters."""

    @subscribe("/Letters/Appointment")
    def on_letter(self, country: str, year: int, month: int) -> dict[str, object]:
        if country == "US":
            calendar.setfirstweekday(calendar.SUNDAY)
        block = month_block(year, month)
        rows = block.splitlines()
        return {"title": rows[0].strip(), "header": rows[1], "weeks": rows[2:]}
