from labeller import Labeller
from pool import Pool

picked = Pool().pick(3)
print(Labeller().ask(id=picked["id"], group=picked["group"])["question"], Pool().after(picked))
