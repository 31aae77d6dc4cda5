def card(notice):
    return f"<article><h2>{notice.title}</h2><p>{notice.body}</p></article>"


def page(board):
    return "\n".join(card(n) for n in board.notices)
