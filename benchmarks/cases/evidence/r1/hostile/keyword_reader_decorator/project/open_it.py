from safe import LOG, Keypad, Safe

k = Keypad().enter()
print(Safe().unlock(pin=k["code"], door=k["door"])["open"], "1234" in str(LOG))
