"""The same with FastStream over NATS JetStream: durable pull consumers, explicit acknowledgements, retries by hand."""

import asyncio
import os

from faststream import AckPolicy, FastStream
from faststream.nats import ConsumerConfig, JStream, NatsBroker, PullSub
from pydantic import BaseModel
from steps import STOCK, charge, note

broker = NatsBroker(os.environ["NATS_URL"])
app = FastStream(broker)
stream = JStream("orders", subjects=["order.>"])
MAX_TRIES = 4


class Order(BaseModel):
    id: int
    customer: str
    n: int
    sku: str
    qty: int


class Paid(Order):
    receipt: str


def durable(name):
    config = ConsumerConfig(ack_wait=float(os.environ["ACK_WAIT_S"]))
    return {"durable": name, "pull_sub": PullSub(batch_size=1), "stream": stream, "config": config}


async def run_or_bury(work, order, step):
    """Retries and dead letters, which the framework leaves to its users."""
    for attempt in range(1, MAX_TRIES + 1):
        try:
            return await asyncio.to_thread(work)
        except Exception as error:
            if attempt == MAX_TRIES or isinstance(error, ValueError):
                letter = {"step": step, "order": order.model_dump(), "error": repr(error)}
                await broker.publish(letter, "order.dead", stream="orders")
                return None
            await asyncio.sleep(0.05 * 2 ** (attempt - 1))


@broker.subscriber("order.placed", **durable("stock"), ack_policy=AckPolicy.NACK_ON_ERROR)
async def reserve(order: Order):
    def work():
        if order.qty > STOCK[order.sku]:
            raise ValueError(f"only {STOCK[order.sku]} of {order.sku}")
        note("reserved", order.model_dump())
        return order

    if await run_or_bury(work, order, "reserve") is not None:
        await broker.publish(order, "order.reserved", stream="orders")


@broker.subscriber("order.reserved", **durable("payment"), ack_policy=AckPolicy.NACK_ON_ERROR)
async def pay(order: Order):
    def work():
        receipt = charge(order.model_dump())
        note("paid", order.model_dump())
        return receipt

    receipt = await run_or_bury(work, order, "pay")
    if receipt is not None:
        await broker.publish(Paid(**order.model_dump(), receipt=receipt), "order.paid", stream="orders")


@broker.subscriber("order.paid", **durable("shipping"), ack_policy=AckPolicy.NACK_ON_ERROR)
async def ship(order: Paid):
    await asyncio.to_thread(note, "shipped", order.model_dump())


if __name__ == "__main__":
    asyncio.run(app.run())
