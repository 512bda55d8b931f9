; call void asm sideeffect "bar.sync 0;", ""() in a comment
target triple = "nvptx64-nvidia-cuda"

define i32 @f(ptr %p) {
  %1 = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %2 = tail call { i32, i32 } asm sideeffect "ld.global.v2.u32 {$0,$1}, [$2];", "=r,=r,l,~{memory}"(ptr %p), !srcloc !1
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void asm sideeffect "", "~{memory}"()
  ret i32 %1
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
