import threading

from counters import Counters


def test_no_lost_updates():
    c = Counters()

    def work():
        for _ in range(200):
            c.add("n")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert c.get("n") == 800
