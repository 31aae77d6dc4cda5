from course.booking import Booking
from course.revenue import revenue

ada, ben = Booking("Ada", 9000), Booking("Ben", 7000)
for b in (ada, ben):
    b.pay()
ben.refund()
assert revenue([ada, ben]) == 9000, revenue([ada, ben])
