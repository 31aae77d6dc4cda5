"""Run, replay."""
