from textile import Dye, Loom


def wip_pairing():
    assert Dye().order(width_cm=Loom().weave()["width_in"]) == {"rolls": 2}


def test_wide():
    assert Dye().order(width_cm=152.4) == {"rolls": 2}
