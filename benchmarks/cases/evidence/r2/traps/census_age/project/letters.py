from census import Census
from pension import Pension

for number in (12, 13):
    p = Census().person(number)
    print(p["name"], Pension().due(age=p["age"])["years"] if p["age"] is not None else "ask for papers")
