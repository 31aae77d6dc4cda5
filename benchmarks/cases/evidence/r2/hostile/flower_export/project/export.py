from pathlib import Path

from nursery import Catalogue, Nursery

plant = Nursery().list(1)
print(Catalogue().add(name=plant.name, flowering=plant.blooms)["entry"])
columns = (Path(__file__).parent / "columns.txt").read_text().split()
print(";".join(getattr(plant, column) for column in columns))
