from theatre.booking import Booking
from theatre.seats import Seats
from theatre.ticket import Ticket

seats, ticket = Seats(), Ticket()


def book(name, n):
    assigned = seats.assign(n)
    return Booking(name=name, seat=assigned["place"])


for name, n in (("Mae", 0), ("Jo", 45)):
    booking = book(name, n)
    print(booking.name, ticket.print_out(seat=booking.seat)["text"])
