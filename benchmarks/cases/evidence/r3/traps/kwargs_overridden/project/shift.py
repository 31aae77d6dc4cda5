import math

from forecast import Forecast
from oven import Oven


def order(weekday, reserve=0.25):
    forecast = Forecast().predict(weekday)
    plan = {"pieces": forecast["demand"], "celsius": forecast["celsius"]}
    plan = {**plan, "pieces": math.ceil(plan["pieces"] * (1 + reserve))}
    return Oven().bake(**plan)["trays"]


print([order(day) for day in range(7)])
