from booking import Booking
from display import Display

desk = Booking()
print(desk.reserve("Oslo", 10, "Lindqvist")["room"])
print(Display().show("Oslo", 10, "Lindqvist von und zu Hohenfels")["line"])
