from pottery.form import Form
from pottery.nodes import Glaze, Kiln

form = Form()
form.celsius = Kiln().peek()["heat"]
print(Glaze().choose(celsius=form.celsius)["glaze"])
