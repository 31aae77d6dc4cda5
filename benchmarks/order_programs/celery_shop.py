"""The same with Celery: late acknowledgements, tasks that are given back when their worker is lost, retries."""

import os

from celery import Celery, Task
from steps import STOCK, charge, note

app = Celery("orders", broker=os.environ["CELERY_BROKER"])
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    broker_transport_options={"visibility_timeout": float(os.environ["ACK_WAIT_S"])},
)
FIELDS = {"id": int, "customer": str, "n": int, "sku": str, "qty": int}


def check(order):
    """A contract, as far as one is wanted."""
    for name, kind in FIELDS.items():
        if not isinstance(order.get(name), kind):
            raise ValueError(f"{name} is {order.get(name)!r}, and must be {kind.__name__}")


class Buried(Task):
    """A task that fails for good is kept: the framework drops it."""

    def on_failure(self, exc, task_id, args, kwargs, einfo):
        with open(os.environ["ORDERS_OUT"] + ".dead", "a") as dead:
            dead.write(f"{self.name} {args} {exc!r}\n")


@app.task(base=Buried)
def reserve(order):
    check(order)
    if order["qty"] > STOCK[order["sku"]]:
        raise ValueError(f"only {STOCK[order['sku']]} of {order['sku']}")
    note("reserved", order)
    pay.delay(order)


@app.task(base=Buried, autoretry_for=(ConnectionError,), retry_backoff=0.05, max_retries=3)
def pay(order):
    check(order)
    receipt = charge(order)
    note("paid", order)
    ship.delay({**order, "receipt": receipt})


@app.task(base=Buried)
def ship(order):
    check(order)
    note("shipped", order)
