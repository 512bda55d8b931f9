"""Captures what torch.compile makes of a script, for AMD GPUs."""
