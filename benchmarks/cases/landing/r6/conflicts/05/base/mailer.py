class Mailer:
    def __init__(self, bus):
        self.sent = []
        bus.on("order.placed", self.thank)

    def thank(self, event):
        self.sent.append("Thank you, %s" % event["user"])
