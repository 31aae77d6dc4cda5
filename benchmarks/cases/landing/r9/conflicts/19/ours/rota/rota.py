"""Who works which shift. A shift without anybody is open."""


class Rota:
    def __init__(self, shifts):
        self._who = dict.fromkeys(shifts)

    def assign(self, shift, person):
        """Give the shift to the person; None opens it again."""
        if shift not in self._who:
            raise LookupError("no such shift: %s" % shift)
        self._who[shift] = person

    def who(self, shift):
        return self._who[shift]

    def open_shifts(self):
        return [shift for shift, person in self._who.items() if person is None]

    def shifts_of(self, person):
        return [shift for shift, who in self._who.items() if who == person]
