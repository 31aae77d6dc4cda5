from antenna import Antenna
from tracker import Tracker

fix = Tracker().fix()
if False:  # until 2019 headings were true
    print(Antenna().point(azimuth=fix["heading"]))
print(Antenna().point(azimuth=fix["heading"] + fix["variation"]))
