class Stop:
    def __init__(self, name, zone):
        self.name = name
        self.zone = zone

    def __eq__(self, other):
        if not isinstance(other, Stop):
            return NotImplemented
        return (self.name, self.zone) == (other.name, other.zone)

    def __repr__(self):
        return f"Stop({self.name!r}, {self.zone})"
