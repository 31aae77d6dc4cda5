from league import FEED, Standings

table = Standings()
for match in FEED:
    table.record(match.first, match.first_goals, match.second_goals)
    table.record(match.second, match.second_goals, match.first_goals)
print(sorted(table.points.items()))
