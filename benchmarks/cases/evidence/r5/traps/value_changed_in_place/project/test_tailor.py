from tailor import Cutter, Tailor


def test_cloth():
    m = Tailor().measure("parka")
    m["half_waist"] *= 2
    m["half_waist"] += 0
    assert Cutter().cut(length=m["length"], waist=m["half_waist"]) == {"cloth": 9000}
