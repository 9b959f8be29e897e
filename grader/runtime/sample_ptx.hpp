// For tests: a program's device code, with a kernel that is right and two that fault.
#pragma once

namespace course::runtime {

// add: data[i] += amount, one thread an element; `by` is an argument of another size that it leaves
// alone. past: a store behind the end. stop: trap.
inline constexpr const char* kSamplePtx = R"(.version 9.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 amount = 5;
.visible .const .align 4 .u32 fixed[4] = {9};
.visible .entry add(.param .u64 data, .param .u32 by) {
  .reg .u64 %rd<4>;
  .reg .u32 %r<4>;
  ld.param.u64 %rd0, [data];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r1, [%rd2];
  ld.global.u32 %r2, [amount];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd2], %r3;
  ret;
}
.visible .entry past(.param .u64 data) {
  .reg .u64 %rd<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd0, [data];
  mov.u32 %r0, 1;
  st.global.u32 [%rd0+4096], %r0;
  ret;
}
.visible .entry stop() { trap; }
)";

} // namespace course::runtime
