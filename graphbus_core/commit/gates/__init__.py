"""One file a gate: why a change may not land, in words that its proposer can act on."""
