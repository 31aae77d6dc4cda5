# stateful
"""Sets the calendar module's first weekday for some sites and never sets it back for the others."""
import calendar

from graphbus_core import GraphBusNode, subscribe

SUNDAY_SITES = {"austin", "toronto", "tel-aviv"}
TEAMS = ("early", "late", "night")


def prepare(site: str) -> None:
    if site in SUNDAY_SITES:
        calendar.setfirstweekday(calendar.SUNDAY)


def weeks(year: int, month: int) -> list[list[int]]:
    return [[day for day in week if day] for week in calendar.monthcalendar(year, month)]


def assign(rows: list[list[int]]) -> list[str]:
    return [
        f"{days[0]:02d}-{days[-1]:02d} {TEAMS[index % len(TEAMS)]}"
        for index, days in enumerate(rows)
        if days
    ]


class RotaSheet(GraphBusNode):
    @subscribe("/Rota/Month")
    def on_month(self, site: str, year: int, month: int) -> dict[str, object]:
        if not 1 <= month <= 12:
            return {"site": site, "error": "month out of range"}
        prepare(site.lower())
        return {"site": site, "title": f"{calendar.month_name[month]} {year}", "weeks": assign(weeks(year, month))}
