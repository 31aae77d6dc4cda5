import configparser
from operator import attrgetter

from podium import Podium
from runner import Runner

ini = configparser.ConfigParser()
ini.read("race.ini")
for f in sorted(map(Runner().finish, ["al", "barbara"]), key=attrgetter(ini["sort"]["by"])):
    print(Podium().place(name=f.name, seconds=f.net_time)["text"])
