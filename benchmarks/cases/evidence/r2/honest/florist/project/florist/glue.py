def for_vase(cut):
    """What the vase wants of what the garden gives."""
    return dict(flowers=cut["stems"], kind=cut["kind"])
