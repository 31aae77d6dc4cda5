import sys

from log import Log


def work(n):
    log = Log.on(sys.stderr)
    for i in range(n):
        log.say(f'step {i}')
    return n
