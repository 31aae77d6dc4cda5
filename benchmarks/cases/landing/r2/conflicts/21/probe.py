import backup
assert backup.save(["a", "b"]) == "a,b"
