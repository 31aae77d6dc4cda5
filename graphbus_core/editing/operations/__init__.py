"""One file an operation (the shared steps beside them): what it changes in code, and what it refuses to follow."""
