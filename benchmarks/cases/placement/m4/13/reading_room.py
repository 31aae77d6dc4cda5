from graphbus_core import GraphBusNode, subscribe

from shelves import authors, shelf


class Exhibition(GraphBusNode):
    '''Titles for a table, with a few wishes of the speaker.'''

    @subscribe('/library/table')
    def table(self, prefix: str, wishes: list[str]) -> list[str]:
        titles = shelf(prefix)
        for wish in wishes:
            if wish not in titles:
                titles.append(wish)
        return sorted(titles)


class AuthorBoard(GraphBusNode):
    @subscribe('/library/authors')
    def board(self, prefix: str, guests: list[str]) -> list[str]:
        names = authors(prefix)
        for guest in guests:
            names += (guest,)
        return list(names)
