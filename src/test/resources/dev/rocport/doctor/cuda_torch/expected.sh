# Written by rocport doctor; source it, do not run it.
