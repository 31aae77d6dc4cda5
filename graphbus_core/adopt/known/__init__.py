"""What is written: shapes of values, types as hints, the library's functions, the project's syntax."""
