from frame import Frame
from mat import Mat

frame = Frame().measure("40x60")
print("across", Mat().cut(side=frame["width"])["cut"])
