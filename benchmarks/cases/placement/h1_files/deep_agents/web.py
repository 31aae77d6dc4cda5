from app.agents.counter import TOTALS
print(len(TOTALS))
