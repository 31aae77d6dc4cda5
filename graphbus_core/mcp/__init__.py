"""Any coding agent at any negotiation, over the Model Context Protocol: what am I asked, and my answer."""
