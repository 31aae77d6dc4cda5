from logparse import packed
from packer import Packer, Picker

log = []
for order in (["a"], ["a", "b", "c", "d"]):
    picked = Picker().pick(order)
    log.append(Packer().pack(qty=picked["pieces"])["log"])
print(packed(log), log)
