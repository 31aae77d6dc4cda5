class Member:
    bonus = 0
    perks = ("chat",)

    def __init__(self, name, rank=1):
        self.name = name
        self.rank = rank

    def power(self):
        return self.rank * 10 + self.bonus

    @classmethod
    def bless(cls, n):
        cls.bonus += n
        return cls.bonus


class Officer(Member):
    perks = Member.perks + ("kick",)

    def power(self):
        return super().power() + 5


class Recruit(Member):
    bonus = 1

    def __init__(self, name):
        super().__init__(name, 0)
