"""Inspect-negotiation, why, log: read what was negotiated."""
