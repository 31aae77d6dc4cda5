from export import Crm, Export, csv

lead = Crm().lead()
print(csv(Export().row(mail=lead["email"], name=lead["name"])))
