"""Facts, and the state folded from them."""
