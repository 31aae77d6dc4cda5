import queue
import threading

from kitchen import Kitchen
from waiter import Waiter

orders: queue.Queue = queue.Queue()
tickets = []


def cook():
    kitchen = Kitchen()
    while (order := orders.get()) is not None:
        tickets.append(kitchen.cook(seat=order["table"], dish=order["dish"])["ticket"])


if __name__ == "__main__":
    thread = threading.Thread(target=cook)
    thread.start()
    waiter = Waiter()
    orders.put(waiter.take(7, "fish"))
    orders.put(waiter.take(2, "pie"))
    orders.put(None)
    thread.join()
    print(tickets)
