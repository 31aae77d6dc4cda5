from rig import plugins
from rig.agents import Drill, Probe

kept = Drill.stop
plugins.load()
sample = Probe().core("H1")
print(Drill().stop(depth=sample["depth_m"]))
Drill.stop = kept
