import alarm
assert alarm.ring() == "RING"
