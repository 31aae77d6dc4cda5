from html import escape

from markup import row, table


def mail_link(address):
    address = escape(address)
    return f'<a href="mailto:{address}">{address}</a>'


def members_page(members):
    return table(row([escape(member["name"]), mail_link(member["mail"])]) for member in members)
