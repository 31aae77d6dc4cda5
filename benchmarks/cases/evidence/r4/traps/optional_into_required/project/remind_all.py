from directory import Directory
from mailer import Mailer

people = [Directory().person(n) for n in sorted(Directory.tree)]
print([Mailer().remind(name=p["name"], manager=p["manager"])["to"] for p in people if p["manager"] is not None])
