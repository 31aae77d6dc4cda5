"""The commands that read what was negotiated: `inspect-negotiation`, `why`, `log`."""
