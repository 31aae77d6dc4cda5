from camera.frames import Grabber
from camera.motion import Motion


def test_motion():
    grabber, motion = Grabber(2), Motion(step=10)
    grabber.listeners.append(motion)
    assert grabber.run([b"\x01\x01", b"\x02\x02", b"\x20\x20", b"\x21\x21"]) == 4
    assert motion.hits == [3]
