"""Does one value fit: the judge and the compiled payload checks."""
