from synth import Keyboard, Synth

MIDI = {"A4": 69}
name = Keyboard().note()["name"]
try:
    out = Synth().play(midi=name)
except TypeError:
    out = Synth().play(midi=MIDI[name])
print(out["hz"])
