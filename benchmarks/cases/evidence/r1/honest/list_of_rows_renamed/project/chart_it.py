from etl import Chart, Logger

rows = [{"val": r["value"]} for r in Logger().dump()["readings"]]
print(Chart().points(readings=rows)["peak"])
