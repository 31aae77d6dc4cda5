# stateful
"""A decorator counts batches in an attribute of the wrapped function."""
import functools

from graphbus_core import GraphBusNode, subscribe

BAKE_MINUTES = {"rye": 55, "wheat": 35, "spelt": 45}


def descale_every(batches: int):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            inner.runs += 1
            plan = function(*args, **kwargs)
            if inner.runs % batches == 0:
                plan.append("descale steam")
            return plan

        inner.runs = 0
        return inner

    return wrap


@descale_every(batches=4)
def plan(bread: str, loaves: int) -> list[str]:
    decks = -(-loaves // 16)
    minutes = BAKE_MINUTES[bread] + 3 * (decks - 1)
    return [f"load {decks} deck(s)", f"bake {minutes} min", "cool on racks"]


class Bakery(GraphBusNode):
    @subscribe("/Batch")
    def on_batch(self, bread: str, loaves: int) -> dict[str, object]:
        return {"bread": bread, "steps": plan(bread, loaves)}
