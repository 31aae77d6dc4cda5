# a sink that turns records into numbers
from sinks import Sink


class GaugeSink(Sink):
    def __init__(self, prefix=""):
        super().__init__()
        self.prefix = prefix
        self.sums = {}
        self.counts = {}

    def key(self, rec):
        return self.prefix + rec["host"]

    def write(self, rec):
        if "value" not in rec:
            return
        k = self.key(rec)
        self.sums[k] = self.sums.get(k, 0) + rec["value"]
        self.counts[k] = self.counts.get(k, 0) + 1

    def mean(self, host):
        k = self.prefix + host
        return self.sums[k] / self.counts[k]
