# stateful
"""A dict with __missing__ hands out ear tags in the order the animals first appear."""
from graphbus_core import GraphBusNode, subscribe


class Register(dict):
    def __missing__(self, key):
        number = self[key] = len(self) + 1
        return number


FARM_CODE = Register(hill=1, vale=2)
TAGS = Register()


def ear_tag(farm: str, animal: str) -> str:
    farm_no = FARM_CODE[farm]
    number = TAGS[farm, animal]
    check = (farm_no * 7 + number * 3) % 10
    return f"CH {farm_no:02d}.{number:04d}.{check}"


def grade(litres: float) -> str:
    for limit, mark in ((20, "A"), (15, "B")):
        if litres >= limit:
            return mark
    return "C"


class MilkBook(GraphBusNode):
    price = {"A": 0.68, "B": 0.64, "C": 0.55}

    @subscribe("/dairy/yield")
    def on_yield(self, farm: str, animal: str, litres: float) -> dict:
        mark = grade(litres)
        return {
            "tag": ear_tag(farm, animal),
            "grade": mark,
            "pays": round(litres * self.price[mark], 2),
        }
