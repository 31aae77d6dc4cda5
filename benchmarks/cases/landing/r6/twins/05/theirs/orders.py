def place(bus, number, user, total):
    bus.emit("order.placed", {"number": number, "user": user, "total": total})
