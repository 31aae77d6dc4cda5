"""Meter readings go out in batches, one exporter for each partner."""


class Exporter:
    def __init__(self, out):
        self.out = out

    def run(self, batches):
        for batch in batches:
            for row in batch:
                self.write(row)
        self.finish()
        return self.out

    def write(self, row):
        raise NotImplementedError

    def finish(self):
        """Called once, after the last batch."""


class ChunkedExporter(Exporter):
    """Several rows to a line, closed by a check line."""

    def __init__(self, out, width=3):
        super().__init__(out)
        self.width = width
        self.pending = []
        self.lines = 0

    def write(self, row):
        self.pending.append(str(row))
        if len(self.pending) == self.width:
            self._emit()

    def _emit(self):
        self.out.append(" ".join(self.pending))
        self.pending.clear()
        self.lines += 1

    def finish(self):
        self._flush()

    def _flush(self):
        if self.pending:
            self._emit()
        self.out.append(f"END {self.lines}")


class PlainExporter(Exporter):
    def write(self, row):
        self.out.append(str(row))
