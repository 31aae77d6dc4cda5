from skis.guest import Guest
from skis.rack import SkiRack
from skis.slip import Slip

g = Guest().measure("Jo")
slip = Slip(body_height=g["height_cm"], level=g["level"])
print(SkiRack().pick(**slip.model_dump())["length"])
