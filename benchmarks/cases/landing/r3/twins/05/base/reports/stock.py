"""The stock report lists what runs low."""
from reports.base import Report


class LowStock(Report):
    title = "low stock"
    limit = 5

    def keep(self, row):
        return row["count"] < self.limit

    def render_row(self, row):
        return f"{row['item']:<12}{row['count']:>4}"
