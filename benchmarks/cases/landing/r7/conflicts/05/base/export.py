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


class PlainExporter(Exporter):
    def write(self, row):
        self.out.append(str(row))
