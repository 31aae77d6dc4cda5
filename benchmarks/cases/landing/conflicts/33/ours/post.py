import templates


def invite(guest):
    return templates.INVITE.format(guest=guest, time='8')
