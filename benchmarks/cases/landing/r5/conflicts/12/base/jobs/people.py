from jobs.base import Job


class PeopleJob(Job):
    def __init__(self):
        super().__init__()
        self.names = []

    def handle(self, row):
        if not row.get("name"):
            raise ValueError("no name")
        self.names.append(row["name"].title())
