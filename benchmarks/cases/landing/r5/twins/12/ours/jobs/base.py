class Job:
    """Subclasses give handle(row)."""

    def __init__(self):
        self.errors = []

    def run(self, rows):
        done = 0
        for row in rows:
            if not self.accept(row):
                continue
            try:
                self.handle(row)
                done += 1
            except ValueError as exc:
                self.errors.append(str(exc))
        return done

    def accept(self, row):
        """Whether the row is one to handle; others are passed over in silence."""
        return True

    def handle(self, row):
        raise NotImplementedError
