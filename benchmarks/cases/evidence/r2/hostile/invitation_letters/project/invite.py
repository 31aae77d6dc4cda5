from letters.calligrapher import Calligrapher
from letters.guests import GuestList

g = GuestList().next(1)
print(Calligrapher().write(name=g["guest"], day=g["day"])["letter"].splitlines()[0])
