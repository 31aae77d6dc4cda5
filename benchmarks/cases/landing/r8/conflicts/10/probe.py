import io

from camera.frames import Grabber
from camera.recorder import Recorder

grabber, recorder, out = Grabber(1), Recorder(2), io.BytesIO()
grabber.listeners.append(recorder)
grabber.run([b"a", b"b", b"c"])
recorder.save(out)
assert out.getvalue() == b"\0\0\0\2b\0\0\0\3c", out.getvalue()
