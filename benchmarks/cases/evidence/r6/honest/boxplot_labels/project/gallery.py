from boxes import BoxDrawer
from figure import Figure

drawer = BoxDrawer()
figure = Figure().describe("size")
for line in drawer.draw(figure["values"], labels=figure["tick_labels"])["lines"]:
    print(line)
print(drawer.middles(figure["values"]))
