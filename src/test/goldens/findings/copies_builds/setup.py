import os

from setuptools import Extension, setup

here = os.path.dirname(os.path.abspath(__file__))
folders = ["src", os.path.join(here, "third_party", "thrust")]  # want: PY-SETUP

setup(
    name="sums",
    ext_modules=[
        Extension(
            "sums",
            ["src/main.cpp"],
            include_dirs=["third_party/cub", "src"] + folders,  # want: PY-SETUP
            libraries=["cudart"],
            extra_compile_args={"nvcc": ["-Ithird_party/thrust", "-O3", "-lineinfo"]},  # want: PY-SETUP
        ),
        Extension("more", ["src/more.cpp"], include_dirs=["mixed"]),  # want: PY-SETUP
    ],
)
