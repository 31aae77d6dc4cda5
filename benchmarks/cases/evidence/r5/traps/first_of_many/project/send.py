from people.directory import Directory
from people.notifier import Notifier

*_, email = Directory().find("eva")["emails"]
print(Notifier().write(email=email)["to"])
