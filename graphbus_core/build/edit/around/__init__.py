"""The operations beside contracts and bodies: small texts, definitions, attributes, decorators, files, whole nodes."""
