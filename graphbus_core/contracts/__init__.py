"""What a promise means: types, inclusion, counterexamples, typed changes, payload checks."""
