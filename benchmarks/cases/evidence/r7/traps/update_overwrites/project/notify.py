from form import Form
from sms import Sms


def international(phone):
    digits = "".join(c for c in phone if c.isdigit())
    return "+41" + digits.removeprefix("0")


filled = Form().submit()
message = {"number": filled["phone"], "text": filled["text"]}
message.update(number=international(filled["phone"]))
print(Sms().send(**message))
