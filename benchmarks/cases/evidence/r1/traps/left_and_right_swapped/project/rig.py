from stereo import Amp, Mixer

CROSSED = {"l": "right", "r": "left"}


def drive(levels):
    return Amp().drive(**{socket: round(levels[lane], 1) for socket, lane in CROSSED.items()})


print(drive(Mixer().out()))
