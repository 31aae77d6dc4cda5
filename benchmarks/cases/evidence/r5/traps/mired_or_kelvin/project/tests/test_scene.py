from light.nodes import Lamp, Scene


def kelvin(mired):
    return round(1_000_000 / mired)


def test_desk():
    state = Lamp().state("desk")
    assert Scene().describe(color_temp_kelvin=kelvin(state["color_temp"])) == {"mood": "cold"}
