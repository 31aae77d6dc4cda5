from html import escape


def card(notice):
    title, body = escape(notice.title), escape(notice.body)
    return f"<article><h2>{title}</h2><p>{body}</p></article>"


def page(board):
    return "\n".join(card(n) for n in board.notices)
