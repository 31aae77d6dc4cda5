"""What was sold, with the total."""
from report import Report


class SalesReport(Report):
    title = "Sales"

    def row(self, row):
        article, amount = row
        return f"{article:<12}{amount:>8.2f}"

    def footer(self):
        return f"{'Total':<12}{sum(amount for _, amount in self.rows):>8.2f}"
