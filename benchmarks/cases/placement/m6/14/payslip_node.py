from graphbus_core import GraphBusNode, subscribe

from bands import tax
from timesheets import Timesheet, wage


class PayslipNode(GraphBusNode):
    @subscribe("/Payslip")
    def on_month(self, name: str, grade: str, weeks: list[int], allowance: int) -> dict:
        sheet = Timesheet(name, budget=allowance)
        gross = 0
        for hours in weeks:
            over = max(0, hours - 40)
            gross += wage(grade, hours - over + sheet.enter(over))
        due = tax(gross)
        slip = [
            f"{'Name':<10}{name:>14}",
            f"{'Gross':<10}{gross / 100:>14.2f}",
            f"{'Tax':<10}{due / 100:>14.2f}",
            f"{'Net':<10}{(gross - due) / 100:>14.2f}",
        ]
        return {"slip": slip, "net": gross - due, "overtime": sheet.hours}
