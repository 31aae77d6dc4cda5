from digest import send_digest
from mailer import Mailer

out = []
mailer = Mailer(lambda to, text: out.append(to), "me@x.org")
count = send_digest(mailer, ["a@x.org", "b@x.org"], [{"date": "2024-05-01", "title": "Bread"}])
assert count == len(out) == 2, (count, out)
