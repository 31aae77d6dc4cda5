class Job:
    """Subclasses give handle(row)."""

    def __init__(self):
        self.errors = []

    def run(self, rows):
        done = 0
        for row in rows:
            try:
                self.handle(row)
                done += 1
            except ValueError as exc:
                self.errors.append(str(exc))
        return done

    def handle(self, row):
        raise NotImplementedError
