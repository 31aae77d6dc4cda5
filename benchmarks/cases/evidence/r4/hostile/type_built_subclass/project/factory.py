from dyer import Dyer
from loom import Loom
from variants import variant

woven = Loom().weave("silk")
for cls in (Dyer, variant("DeepDyer", 3)):
    print(cls().dye(yarn=woven["threads"])["litres"])
