from durations import minutes, spell_out

assert minutes("2h") == 120
assert spell_out("2h 1m") == "2 hours, 1 minute"
