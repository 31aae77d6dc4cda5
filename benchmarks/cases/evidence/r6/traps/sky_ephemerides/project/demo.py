from kosmos import Printer, SkyReport

print(SkyReport().to_json(4))
print(Printer().page([{"at": "23:00"}, {"at": "02:00"}])["text"])
