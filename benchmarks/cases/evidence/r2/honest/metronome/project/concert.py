from functools import partial

from orchestra import Conductor, Orchestra

beat = Conductor().beat("Air")
play = partial(Orchestra().play, tempo=beat.pulse)
print(round(play(bars=beat.bars)["minutes"], 2))
