import operator
from auction import Bids, Hammer

pick = operator.itemgetter("bid", "reserve")
print(Hammer().fall(price=max(pick(Bids().top(7))))["call"])
