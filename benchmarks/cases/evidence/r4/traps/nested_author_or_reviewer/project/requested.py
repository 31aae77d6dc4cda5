from notify import Notify
from review import Review

seen = Review().load(5)
print(Notify().tell(number=seen["number"], person=seen["change"]["reviewer"])["text"])
