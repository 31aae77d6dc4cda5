import backup
assert backup.save(["a"]) == "['a']"
