from arena.units import Unit, SPAWN
from arena.clock import Clock

clock = Clock()
