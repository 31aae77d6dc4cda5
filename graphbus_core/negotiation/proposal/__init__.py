"""The proposal negotiation: propose, evaluate, arbitrate, commit (seed 000)."""
