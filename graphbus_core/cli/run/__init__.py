"""`graphbus run` and `graphbus replay`: start what was built, or play a recorded run again."""
