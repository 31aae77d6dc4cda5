from decoder import Decoder
from layout import Layout

seen = Decoder().inspect("IMG_1.JPG")
print(seen["name"], seen["orientation"])
print(Layout().place(4000, 3000)["box"])
