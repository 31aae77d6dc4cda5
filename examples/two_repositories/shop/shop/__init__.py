"""A shop: what it sends to billing is in `orders`."""
