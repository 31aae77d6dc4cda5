"""Use cases: a negotiation with its files and seats. A build, a decision, a directory, an interface."""
