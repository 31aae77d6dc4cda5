from collections import ChainMap

WERK = {"drehzahl": 180, "breite_cm": 150, "schuss_pro_cm": 22}
LEINEN = {"schuss_pro_cm": 16, "garn": "Nm 26"}
SEIDE = {"schuss_pro_cm": 40, "garn": "Nm 120", "drehzahl": 120}

leinen = ChainMap({}, LEINEN, WERK)
seide = ChainMap({}, SEIDE, WERK)


class Bahnen(dict):
    """Farbe -> Nummer der Bahn, in der Reihenfolge des ersten Auftretens."""

    def __missing__(self, farbe):
        self[farbe] = len(self) + 1
        return self[farbe]
