"""The commands of a document negotiation."""
