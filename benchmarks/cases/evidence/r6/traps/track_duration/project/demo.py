from audio.cutter import Cutter
from audio.legacy import reel_samples
from audio.recorder import Recorder

take = Recorder()
take.feed(bytes(400))
print(take.stop())
print(Cutter().trim(samples=reel_samples(2), rate=8000))
