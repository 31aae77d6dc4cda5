"""Every word a model is told, and how its answer is read."""
