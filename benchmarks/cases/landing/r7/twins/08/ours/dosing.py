"""Doses by body weight: each band reaches up to a weight."""
import bisect


class DoseTable:
    def __init__(self, bands):
        self.bands = sorted(bands)

    @classmethod
    def from_text(cls, text):
        rows = (line.split() for line in text.splitlines() if line.strip())
        return cls([(float(kg), int(mg)) for kg, mg in rows])

    def rank(self, weights, weight):
        """How many of the (sorted) weights of a ward lie below this one."""
        return bisect.bisect_left(weights, weight)

    def dose(self, weight):
        # thousands of look-ups per round: the bands are in order, so halve
        i = bisect.bisect_left(self.bands, (weight, 0))
        if i == len(self.bands):
            raise LookupError(f"no dose for {weight} kg")
        return self.bands[i][1]

    def __len__(self):
        return len(self.bands)

    def highest(self):
        return max(mg for _, mg in self.bands)
