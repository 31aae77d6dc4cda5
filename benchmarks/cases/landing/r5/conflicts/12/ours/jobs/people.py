from jobs.base import Job


class PeopleJob(Job):
    def __init__(self):
        super().__init__()
        self.names = []

    def accept(self, row):
        return not row.get("test")

    def handle(self, row):
        if not row.get("name"):
            raise ValueError("no name")
        self.names.append(row["name"].title())
