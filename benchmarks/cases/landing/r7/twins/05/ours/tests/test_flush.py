from export import PlainExporter


class Counting(PlainExporter):
    flushed = 0

    def _flush(self):
        self.flushed += 1


def test_flush_after_each_batch():
    e = Counting([])
    e.run([[1], [2], [3]])
    assert e.flushed == 3
