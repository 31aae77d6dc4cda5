from amp import Amplifier
from remote import Remote

amp = Amplifier()
key = Remote().press(8)
amp.on_key({"volume": key["vol"], "bass": key["bass"]})
print(amp.display(), amp.volume)
