from mail import Envelope, Sheet

KEYS = ("given", "surname")
HUNGARIAN = ("surname", "given")

for n in range(3):
    row = Sheet().row(n)
    keys = HUNGARIAN if row["country"] == "HU" else KEYS
    fields = dict(zip(keys, (row["name1"], row["name2"])))
    print(Envelope().address(**fields)["line"])
