"""The payroll report must not show whole account numbers."""
from reports.base import Report


def masked(account):
    return "*" * max(0, len(account) - 4) + account[-4:]


class Payroll(Report):
    title = "payroll"

    def keep(self, row):
        return row["amount"] > 0

    def render_row(self, row):
        return f"{row['name']:<10}{masked(row['account'])} {row['amount']:>9.2f}"
