# pure
from graphbus_core import GraphBusNode, subscribe


class OrgChart(GraphBusNode):
    @subscribe("/Company/People")
    def on_people(self, payload):
        class Person:
            known = {}
            serial = 0

            def __init__(self, name, boss):
                Person.serial += 1
                self.id = Person.serial
                self.name, self.boss = name, boss
                self.known[name] = self

            @property
            def rank(self):
                boss = self.known.get(self.boss)
                return 0 if boss is None else boss.rank + 1

        for name, boss in payload["people"]:
            Person(name, boss)
        chart = [[p.id, p.name, p.rank] for p in Person.known.values()]
        self.publish("/Company/Chart", {"chart": chart})
