"""The best that exists, exactly; or why there is none."""
