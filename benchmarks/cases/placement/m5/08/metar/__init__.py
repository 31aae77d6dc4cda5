from .decoder import decode
