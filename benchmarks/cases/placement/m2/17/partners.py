from graphbus_core import GraphBusNode, subscribe

import formats


class PartnerNotice(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Telco/Partner/Notice")
    def on_notice(self, partner: str, delimiter: str, quote: str) -> dict[str, str]:
        delim, quotes = formats.announce(delimiter, quote)
        sample = delim.join(["caller", "called", f"{quotes}seconds{quotes}"])
        return {"partner": partner, "sample": sample}
