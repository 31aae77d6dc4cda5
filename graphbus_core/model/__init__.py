"""The nouns of GraphBus: frozen, serialisable, without behaviour. They know nothing above them."""
