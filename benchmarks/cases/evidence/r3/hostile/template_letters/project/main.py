from crm import Crm
from letters import Letters

letters = Letters()
for key in range(2):
    record = Crm().find(key)
    letters.write({"customer": record["client"], "due": record["due"]})
print(*letters.out, sep="\n")
