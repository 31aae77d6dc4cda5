import templates


def invite(guest):
    return templates.INVITE.format(name=guest, time='8')
