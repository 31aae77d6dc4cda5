from bench import Bench
from report import Report

m = Bench().measure(10)
m["sigma"] = m.pop("spread") ** 0.5
print(Report().error_bar(**m)["text"])
