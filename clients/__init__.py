"""Clients of `/api/v1` for Python, TypeScript and Swift, generated from its OpenAPI document alone.

python -m clients            writes them
python -m clients --check    exits 1 where one is not what the document says
"""
