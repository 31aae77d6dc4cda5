from florist.garden import Garden
from florist.glue import for_vase
from florist.vase import Vase

print(Vase().arrange(**for_vase(Garden().cut("tulip")))["card"])
