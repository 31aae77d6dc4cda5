from report import Report


class StockReport(Report):
    title = "Stock"

    def footer(self):
        empty = sum(1 for _, count in self.rows if count == 0)
        return f"{empty} articles out of stock"
