from notice import Notice
from transfer import Transfer

booked = Transfer().book(20)
print(Notice().write(account=booked["debtor"], amount=booked["amount"])["text"])
