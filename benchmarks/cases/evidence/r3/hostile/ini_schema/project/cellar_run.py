from cellar import Cellar
from probe import Probe

cellar = Cellar()
sensed = Probe().sense(70 * 256 + 12)
cellar.store({"moisture": sensed["humidity"], "celsius": sensed["celsius"]})
print(cellar.log)
