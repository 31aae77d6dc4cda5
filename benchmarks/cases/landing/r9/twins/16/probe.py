import io

from home.house import House

file = io.StringIO()
house = House(file)
house.sensor("hall", 7)
assert file.getvalue() == "7 hall\n", file.getvalue()
