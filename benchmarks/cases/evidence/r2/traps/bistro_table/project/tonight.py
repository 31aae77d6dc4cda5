from bistro import Kitchen, Reservation

booking = Reservation().read("Ada")
booking.setdefault("seats", 2)
print(Kitchen().prepare(covers=booking["seats"])["spoons"])
