from templates import INVITE

LIMIT = 160


def sms(name, hour):
    text = INVITE.format(name=name, time=f'{hour}:00')
    return text[:LIMIT]
