from operator import itemgetter

from stamps import Album, Dealer

lot = Dealer().offer(lot=5)
print(Album().stick(**dict(zip(("land", "issued"), itemgetter("land", "year")(lot))))["page"])
