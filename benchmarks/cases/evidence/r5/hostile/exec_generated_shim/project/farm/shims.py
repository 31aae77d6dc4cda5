from farm.nodes import Truck

SOURCE = """
def {name}(n):
    return Truck().load(freight_t=n * {factor})["trips"]
"""

for name, factor in {"bags": 0.05, "silos": 40.0}.items():
    exec(SOURCE.format(name=name, factor=factor), globals())
