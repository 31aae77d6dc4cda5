from radio.antenna import Antenna
from radio.columns import Columns
from radio.recorder import Recorder

heard = Antenna().listen(mhz=101.3)
print(Recorder().tape(signal=heard["strength"], station=heard[Columns.STATION])["file"])
print(heard[Columns.STRENGTH])
