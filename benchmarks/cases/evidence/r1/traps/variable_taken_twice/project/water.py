from garden import Forecast, Sprinkler

NEED_MM = 10
mm = Forecast().tomorrow()["rain_mm"]
mm = max(0, NEED_MM - mm)
print(Sprinkler().plan(water_mm=mm))
