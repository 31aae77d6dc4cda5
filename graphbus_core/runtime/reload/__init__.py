"""A build changed under a running program: does it fit, which nodes changed, and how they are swapped."""
