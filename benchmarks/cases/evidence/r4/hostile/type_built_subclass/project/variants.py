from dyer import Dyer

SOURCE = "def dye(self, yarn):\n    return Dyer.dye(self, yarn=yarn * %d)\n"


def variant(name, factor):
    space = {}
    exec(SOURCE % factor, {"Dyer": Dyer}, space)
    return type(name, (Dyer,), space)
