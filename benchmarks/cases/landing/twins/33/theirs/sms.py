from templates import REMIND

LIMIT = 160


def sms(name, hour):
    text = f'{name}: ' + REMIND.format(time=f'{hour}:00')
    return text[:LIMIT]
