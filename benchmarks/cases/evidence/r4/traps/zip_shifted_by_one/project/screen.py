from concurrent.futures import ThreadPoolExecutor

from board import Board
from timetable import Timetable

stops = [Timetable().stop(n) for n in range(4)]
names = [s["stop"] for s in stops[1:]]
times = [s["departs"] for s in stops[:-1]]
with ThreadPoolExecutor(2) as pool:
    for line in pool.map(Board().show, names, times):
        print(line["line"])
