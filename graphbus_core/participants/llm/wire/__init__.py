"""One answer from one model: the only file that knows pydantic-ai."""
