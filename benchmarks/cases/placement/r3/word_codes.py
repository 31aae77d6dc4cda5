# stateful
from collections import defaultdict
from itertools import count

from graphbus_core import GraphBusNode, subscribe


class WordCodes(GraphBusNode):
    """Encodes texts as numbers for the classifier."""

    codes = defaultdict(count(1).__next__)

    @subscribe("/Text/Cleaned")
    def on_text(self, payload):
        vector = [self.codes[word] for word in payload["text"].split()]
        self.publish("/Text/Encoded", {"doc": payload["doc"], "vector": vector})
