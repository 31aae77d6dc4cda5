from clock import Clock
from snapshot import Snapshot

print(Snapshot().name(epoch=Clock().epoch(2020)["epoch"])["name"])
