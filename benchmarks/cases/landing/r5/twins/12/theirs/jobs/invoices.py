from jobs.base import Job


class InvoiceJob(Job):
    def __init__(self):
        super().__init__()
        self.booked = {}

    def handle(self, row):
        if row["amount"] <= 0:
            raise ValueError(f"{row['no']}: amount {row['amount']}")
        self._book(row)

    def _book(self, row):
        self.booked[row["no"]] = row["amount"]
