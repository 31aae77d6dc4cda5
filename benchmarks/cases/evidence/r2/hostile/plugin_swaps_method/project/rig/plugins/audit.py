import sys

LOG = []


def install():
    drill = vars(sys.modules["rig.agents"])["Drill"]
    inner = drill.stop

    def stop(self, depth):
        LOG.append(depth)
        return inner(self, depth)

    drill.stop = stop
