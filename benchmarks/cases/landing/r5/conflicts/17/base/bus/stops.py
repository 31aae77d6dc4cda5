class Stop:
    def __init__(self, name, zone):
        self.name = name
        self.zone = zone

    def __repr__(self):
        return f"Stop({self.name!r}, {self.zone})"
