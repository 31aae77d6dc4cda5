import csv
import sys
from operator import itemgetter

from stock import Stock

HEAD = "article reserved on_hand".split()
pick = itemgetter(*HEAD)
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(HEAD)
for name in ("bolt", "nut"):
    out.writerow(pick(Stock().level(name)))
