import shutil as _os
import pynvml
