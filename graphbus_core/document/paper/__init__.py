"""The Markdown form: read, reviewed, spoken."""
