from pathlib import Path

from jobs import Queue

env = dict(
    line.split("=", 1)
    for line in Path(__file__).with_name("log.env").read_text().splitlines()
)
queue = Queue()
for step in (0, 5, 50):
    queue.work(step)
    print(env["LOG_PATTERN"].format_map(queue.stats()))
