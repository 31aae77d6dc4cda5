from operator import methodcaller

from pool import Keeper, Net

ask = methodcaller("identify", specimen=Net().dip(depth=1)["catch"])
print(ask(Keeper())["tank"])
