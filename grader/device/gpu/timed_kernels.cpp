#include "device/gpu/timed_kernels.hpp"

namespace course::gpu {

const char* const kTimedKernels = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry flush(.param .u64 buffer, .param .u64 bytes)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %d<8>;
  ld.param.u64 %d1, [buffer];
  ld.param.u64 %d2, [bytes];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %d3, %r4, 16;
  mov.u32 %r5, %nctaid.x;
  mul.lo.u32 %r6, %r5, %r2;
  mul.wide.u32 %d4, %r6, 16;
again:
  setp.ge.u64 %p1, %d3, %d2;
  @%p1 bra done;
  add.u64 %d5, %d1, %d3;
  ld.volatile.global.v2.u64 {%d6, %d7}, [%d5];
  add.u64 %d3, %d3, %d4;
  bra again;
done:
  ret;
}

.visible .entry vary(.param .u64 to, .param .u64 from, .param .u64 words, .param .u64 seed)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %d<20>;
  ld.param.u64 %d1, [to];
  ld.param.u64 %d2, [from];
  ld.param.u64 %d3, [words];
  ld.param.u64 %d4, [seed];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  cvt.u64.u32 %d5, %r4;
  add.u64 %d6, %d5, 1;
  mad.lo.u64 %d7, %d6, 0x9e3779b97f4a7c15, %d4;
  shr.u64 %d8, %d7, 30;
  xor.b64 %d7, %d7, %d8;
  mul.lo.u64 %d7, %d7, 0xbf58476d1ce4e5b9;
  shr.u64 %d8, %d7, 27;
  xor.b64 %d7, %d7, %d8;
  mul.lo.u64 %d7, %d7, 0x94d049bb133111eb;
  shr.u64 %d8, %d7, 31;
  xor.b64 %d7, %d7, %d8;
  and.b64 %d9, %d7, 1023;
  shl.b64 %d10, %d5, 10;
  add.u64 %d11, %d10, %d9;
  setp.ge.u64 %p1, %d11, %d3;
  @%p1 bra done;
  shr.u64 %d12, %d7, 10;
  rem.u64 %d13, %d12, %d3;
  shl.b64 %d14, %d13, 2;
  add.u64 %d15, %d2, %d14;
  ld.global.u32 %r5, [%d15];
  shl.b64 %d16, %d11, 2;
  add.u64 %d17, %d1, %d16;
  st.global.u32 [%d17], %r5;
done:
  ret;
}

.visible .entry compare(.param .u64 one, .param .u64 right, .param .u64 words, .param .u32 floats,
                        .param .f64 absolute, .param .f64 relative, .param .u64 result)
{
  .reg .pred %p<5>;
  .reg .b32 %r<12>;
  .reg .f32 %f<3>;
  .reg .f64 %g<9>;
  .reg .b64 %d<16>;
  ld.param.u64 %d1, [one];
  ld.param.u64 %d2, [right];
  ld.param.u64 %d3, [words];
  ld.param.u32 %r1, [floats];
  ld.param.f64 %g1, [absolute];
  ld.param.f64 %g2, [relative];
  ld.param.u64 %d4, [result];
  setp.ne.u32 %p1, %r1, 0;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  cvt.u64.u32 %d5, %r5;
  mov.u32 %r6, %nctaid.x;
  mul.wide.u32 %d6, %r6, %r3;
again:
  setp.ge.u64 %p2, %d5, %d3;
  @%p2 bra done;
  shl.b64 %d7, %d5, 2;
  add.u64 %d8, %d1, %d7;
  add.u64 %d9, %d2, %d7;
  ld.global.u32 %r7, [%d8];
  ld.global.u32 %r8, [%d9];
  setp.eq.u32 %p3, %r7, %r8;
  @%p3 bra next;
  @!%p1 bra different;
  mov.b32 %f1, %r7;
  mov.b32 %f2, %r8;
  cvt.f64.f32 %g3, %f1;
  cvt.f64.f32 %g4, %f2;
  sub.f64 %g5, %g3, %g4;
  abs.f64 %g6, %g5;
  abs.f64 %g7, %g4;
  fma.rn.f64 %g8, %g2, %g7, %g1;
  setp.le.f64 %p4, %g6, %g8;
  @%p4 bra next;
different:
  atom.global.add.u64 %d10, [%d4], 1;
  atom.global.min.u64 %d11, [%d4+8], %d5;
next:
  add.u64 %d5, %d5, %d6;
  bra again;
done:
  ret;
}
)";

} // namespace course::gpu
