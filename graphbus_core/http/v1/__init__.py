"""`/api/v1`: the API that others build on. Stable operation ids, a model for every answer, errors as RFC 9457."""
