from race import Race
from ranking import Ranking

ranking = Ranking()
for name in ("Ann", "Bert", "Carla", "Dirk"):
    done = Race().finish(name)
    ranking.enter({"runner": done["runner"], "seconds": done["time"]})
print(ranking.podium())
