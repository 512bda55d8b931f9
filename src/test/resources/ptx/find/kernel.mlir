module attributes {nvvm.target = "sm_90"} {
  llvm.func @k() attributes {nvvm.kernel = 1 : ui1} {
    %0 = nvvm.read.ptx.sreg.tid.x : i32
    %1 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
    nvvm.barrier0
    llvm.inline_asm has_side_effects asm_dialect = att "bar.sync 1, 64;", "" : () -> ()
    %2 = llvm.inline_asm asm_dialect = att "rdtsc", "=A" : () -> i64
    llvm.return
  }
}
