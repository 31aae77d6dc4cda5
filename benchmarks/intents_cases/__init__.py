"""Twenty intents over five projects, with tests that nobody at the table sees, and the answers that were recorded."""
