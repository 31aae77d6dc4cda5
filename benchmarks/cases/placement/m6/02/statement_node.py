from graphbus_core import GraphBusNode, subscribe

from accounts import Account

RULE = "-" * 24


class StatementNode(GraphBusNode):
    """Prints the statement of one account."""

    @subscribe("/Statement")
    def on_statement(self, account: str) -> dict:
        acc = Account.open(account)
        body = [f"Account {acc.number}", RULE, *acc.entries, RULE, f"Due {acc.balance}"]
        return {"text": "\n".join(body)}
