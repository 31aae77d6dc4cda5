from html import escape

from markup import Html, row, table


def mail_link(address):
    address = escape(address)
    return Html(f'<a href="mailto:{address}">{address}</a>')


def members_page(members):
    return table(row([member["name"], mail_link(member["mail"])]) for member in members)
