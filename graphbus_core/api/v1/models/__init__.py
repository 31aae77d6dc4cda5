"""The bodies of `/api/v1`, as its OpenAPI document shows them and its generated clients name them."""
