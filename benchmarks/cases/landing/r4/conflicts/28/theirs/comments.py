"""Comments below an article."""
from markup import row, table


def comments_table(comments):
    """The newest on top."""
    newest = sorted(comments, key=lambda comment: comment["at"], reverse=True)
    return table(row([comment["by"], comment["text"]]) for comment in newest)
