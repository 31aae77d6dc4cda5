# stateful
"""Keeps its place in the rota: an endless iterator whose next method is stored under a plain name."""
from itertools import chain, cycle, repeat
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

CREW = [
    {"name": "Ines", "share": 2, "bike": True},
    {"name": "Omar", "share": 1, "bike": False},
    {"name": "Petra", "share": 1, "bike": True},
    {"name": "Yuki", "share": 3, "bike": False},
]


def by_share(crew: list[dict]) -> list[str]:
    ordered = sorted(crew, key=itemgetter("share"), reverse=True)
    return list(chain.from_iterable(repeat(one["name"], one["share"]) for one in ordered))


choose_rider = cycle(by_share([one for one in CREW if one["bike"]])).__next__
choose_driver = cycle(by_share([one for one in CREW if not one["bike"]])).__next__


class CourierRota(GraphBusNode):
    """Assigns a job to a rider when it is light and near, otherwise to a driver."""

    LIGHT_KG = 8
    NEAR_KM = 6

    @subscribe("/Courier/Job")
    def on_job(self, job: str, kg: float, km: float) -> str:
        light = kg <= self.LIGHT_KG and km <= self.NEAR_KM
        choose = choose_rider if light else choose_driver
        return f"{job} -> {choose()}"
