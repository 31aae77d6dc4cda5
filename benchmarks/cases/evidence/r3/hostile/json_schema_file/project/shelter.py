from intake import Intake
from vet import Vet

vet = Vet()
for note in ("cat, 3", "dog, 11"):
    record = Intake().register(note)
    vet.admit({"species": record["animal"], "age": record["age"]})
print(sorted(vet.queue))
