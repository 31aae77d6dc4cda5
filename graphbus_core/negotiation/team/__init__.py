"""The table of a team: what each seat will change, who else that concerns, and what two of them settle by hash."""
