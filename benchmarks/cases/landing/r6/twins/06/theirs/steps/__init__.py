"""Each module here has a VERSION and up(db)."""
