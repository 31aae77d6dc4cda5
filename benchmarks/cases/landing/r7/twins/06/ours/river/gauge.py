class Gauge:
    """A pressure gauge on the river bed: 9.81 kPa for a metre of water."""

    KPA_PER_M = 9.81

    def __init__(self, name, read_kpa):
        self.name = name
        self._read_kpa = read_kpa

    def level(self):
        return round(self._read_kpa() / self.KPA_PER_M * 100)  # cm, as the county wants it
