from turbine import Turbine

TABLE = """
calm    output  wind=2
breeze  output  wind=8.5
storm   output  wind=26
"""


class Scenes:
    turbine = Turbine()


def scene(method, key, value):
    return lambda self: getattr(self.turbine, method)(**{key: value})


for line in TABLE.strip().splitlines():
    name, method, setting = line.split()
    key, _, value = setting.partition("=")
    setattr(Scenes, name, scene(method, key, float(value)))
for name in ("calm", "breeze", "storm"):
    print(name, getattr(Scenes(), name)()["kw"])
