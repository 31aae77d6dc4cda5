"""Collectors gather numbers; collect() is what the scheduler calls."""


class Collector:
    name = "collector"

    def gather(self):
        """Return {metric: number}."""
        raise NotImplementedError

    def collect(self):
        values = self.gather()
        return {f"{self.name}.{metric}": float(value) for metric, value in sorted(values.items())}
