from janitor import DiskProbe, Janitor

total, free = DiskProbe().look("/var").values()
used = free
used = total - used
print("clean" if Janitor().decide(used=used)["clean"] else "nothing to do")
