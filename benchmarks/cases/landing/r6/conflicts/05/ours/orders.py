def place(bus, number, user, total):
    bus.emit("order.placed", {"number": number, "customer": user, "total": total})
