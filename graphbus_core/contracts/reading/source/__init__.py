"""What stands in source: names, constants, classes. `static` reads a contract from them."""
