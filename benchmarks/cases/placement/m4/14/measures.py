"""Checked quantities for the cellar."""


class Quantity:
    def __init__(self, low, high):
        self.low, self.high = low, high
        self.value = low

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return self.value

    def __set__(self, obj, value):
        self.value = min(max(value, self.low), self.high)


class Checked:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.slot, self.low)

    def __set__(self, obj, value):
        setattr(obj, self.slot, min(max(value, self.low), self.high))


class Barrel:
    litres = Quantity(0.0, 225.0)

    def __init__(self, number):
        self.number = number

    def top_up(self, litres):
        self.litres = self.litres + litres
        return self.litres


class Must:
    oechsle = Checked(40, 200)
    acid = Checked(0.0, 15.0)

    def __init__(self, oechsle=None, acid=None):
        if oechsle is not None:
            self.oechsle = oechsle
        if acid is not None:
            self.acid = acid
