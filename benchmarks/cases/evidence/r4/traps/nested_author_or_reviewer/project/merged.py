from notify import Notify
from review import Review

seen = Review().load(4)
print(Notify().tell(number=seen["number"], person=seen["change"]["author"])["text"])
