llvm.func @k() {
  %0 = nvvm.read.ptx.sreg.tid.x : i32  // want: PTX-NVVM
  %1 = llvm.mlir.constant(1 : i32) : i32  // ok: PTX-NVVM
  llvm.return
}
