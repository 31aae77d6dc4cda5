from lending import CardReader, LoanDesk, Statistics, synonyms

swiped = CardReader().swipe(b"\x02C-1|east\x03")
statistics = Statistics()
statistics.visit(**{ours: swiped[theirs] for ours, theirs in synonyms("Statistics.visit").items()})
print(dict(statistics.visits))
print(LoanDesk().lend("C-9"))
