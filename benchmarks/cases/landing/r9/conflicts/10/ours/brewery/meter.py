"""Flow meters give pulses; so many pulses make a litre."""


class FlowMeter:
    def __init__(self, pulses_per_litre, read_pulses):
        self.pulses_per_litre = pulses_per_litre
        self._read_pulses = read_pulses  # pulses of the last second

    def flow(self):
        """Litres per second, like everything the controller computes with."""
        return self._read_pulses() / self.pulses_per_litre
