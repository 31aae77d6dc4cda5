import io

from camera.frames import Frame
from camera.recorder import Recorder


def test_the_last_frames_are_saved():
    recorder, out = Recorder(2), io.BytesIO()
    for n in 1, 2, 3:
        recorder(Frame(n, bytearray([n, n])))
    assert recorder.save(out) == [2, 3]
    assert out.getvalue() == b"\0\0\0\2\2\2\0\0\0\3\3\3"
    assert recorder.save(out) == []
