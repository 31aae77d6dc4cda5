from html import escape

from markup import row, table


def members_page(members):
    return table(row([member["name"], member["mail"]]) for member in members)
