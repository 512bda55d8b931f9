class Waves(CMakePackage, CudaPackage):  # want: PKG-SPACK
    depends_on("cuda@11:", when="+cuda")  # want: PKG-SPACK
    depends_on("zlib")  # ok: PKG-SPACK
