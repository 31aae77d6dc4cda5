from audit import Audit

print(Audit().line(1)["text"])
