"""Collectors gather numbers; collect() is what the scheduler calls."""


class Collector:
    name = "collector"
    runs = 0
    failures = 0

    def gather(self):
        """Return {metric: number}."""
        raise NotImplementedError

    def collect(self):
        self.runs += 1
        try:
            values = self.gather()
        except OSError:
            self.failures += 1
            return {f"{self.name}.failures": float(self.failures)}
        return {f"{self.name}.{metric}": float(value) for metric, value in sorted(values.items())}
