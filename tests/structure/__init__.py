"""The house itself: how large its rooms are, which way its imports go, what nobody uses."""
