from rota.leave import hand_over
from rota.rota import Rota

rota = Rota(["mon", "tue"])
rota.assign("mon", "ann")
assert hand_over(rota, "ann", {}) == ["mon"]
assert rota.who("mon") is None
