"""Read back: outcome, projection, why, replay."""
