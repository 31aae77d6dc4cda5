"""Who works which shift. A shift without anybody is open."""


class Rota:
    def __init__(self, shifts):
        self._who = dict.fromkeys(shifts)
        self.assigned_before = []

    def assign(self, shift, person):
        """Give the shift to the person; see `release` for the contrary."""
        if person is None:
            raise ValueError("nobody is assigned to %s" % shift)
        if shift not in self._who:
            raise LookupError("no such shift: %s" % shift)
        self._who[shift] = person

    def release(self, shift, reason):
        """Open the shift again; the reason is for the week's report."""
        self.assigned_before.append((shift, self._who[shift], reason))
        self._who[shift] = None

    def who(self, shift):
        return self._who[shift]

    def open_shifts(self):
        return [shift for shift, person in self._who.items() if person is None]

    def shifts_of(self, person):
        return [shift for shift, who in self._who.items() if who == person]
