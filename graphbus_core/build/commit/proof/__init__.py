"""The proof of a change: gates in one order (`order`), run over one `Trial`, told in one `Receipt`."""
