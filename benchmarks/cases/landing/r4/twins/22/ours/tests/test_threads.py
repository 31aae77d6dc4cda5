import threading
from stock import Stock


def test_many_threads():
    stock = Stock({"nut": 400})
    threads = [threading.Thread(target=lambda: [stock.take("nut") for _ in range(100)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stock.on_hand("nut") == 0
