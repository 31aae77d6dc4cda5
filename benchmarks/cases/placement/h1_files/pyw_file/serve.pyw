from agents.counter import TOTALS
print(len(TOTALS))
