from energy.district import District
from energy.plant import Plant


def homes(gas):
    plant = Plant()
    heat = plant.waste_heat(plant.measure(gas)["power_kw"])
    return District().serve(heat_kw=heat)["homes"]
