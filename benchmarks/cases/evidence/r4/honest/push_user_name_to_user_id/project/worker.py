from concurrent.futures import ThreadPoolExecutor

from pusher import Pusher
from rules import Rules


def work(events):
    rules, pusher = Rules(), Pusher()
    with ThreadPoolExecutor(2) as pool:
        waiting = []
        for event in events:
            match = rules.evaluate(event)
            waiting.append(pool.submit(pusher.push, user_name=match["user_id"]))
        return [w.result()["sent"] for w in waiting]


if __name__ == "__main__":
    print(work(["ann", "bob"]))
