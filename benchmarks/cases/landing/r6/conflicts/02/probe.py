from directory import Directory
from invite import invite

d = Directory()
assert invite(d, "Cy", "go")["groups"] == ["go"]
assert invite(d, "Cy", "go")["groups"] == ["go"]
