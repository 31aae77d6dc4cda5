"""The load of the machine."""
import os

from metrics.collector import Collector


class Load(Collector):
    name = "load"
    source = staticmethod(os.getloadavg)

    def gather(self):
        one, five, fifteen = self.source()
        return {"1": one, "5": five, "15": fifteen}
