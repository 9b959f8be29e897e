// Long: all messages of devices stand in one table.
#include "report/words/message_words.hpp"

#include "device/message_id.hpp"
#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/numbers.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <bit>

namespace course::report {
namespace {

using Id = device::MessageId;
using language::Forms;
using language::forms;
using language::marked;

// In the order of messages.def. What is put in for {0}, {1} may be a message itself, which a
// translation of the outer one has to fit: "reads s[1]" stands in "{0}, which {1}, and {2}". Where
// there is a plural, {0} is the number.
struct Words {
  Id id;
  Forms forms;
};
constexpr Words kWords[] = {
    {Id::text, {"{0}"}}, // as it is
    {Id::of_kernel, {marked("{0}: {1}")}},
    {Id::on_the_gpu, {marked("on the GPU, {0}")}},

    // Why a kernel is not executed; more may stand behind it.
    {Id::cannot_execute, {marked("`{0}` is not available here")}},
    {Id::cannot_execute_line, {marked("`{0}` (line {1}) is not available here")}},
    {Id::cannot_execute_at, {marked("`{0}` ({1}:{2}) is not available here")}},
    {Id::sample_of_cooperative,
     {marked("it is launched cooperatively: its {0} blocks wait for each other, so a sample of {1} "
             "cannot be executed")}},

    // Places in memory. A named one has its size in brackets behind it.
    {Id::element, {marked("{0} (byte {1})")}},
    {Id::elements, {marked("{0} to {1} (byte {2})")}},
    {Id::element_part, {marked("{0} (byte {1} of it)")}},
    {Id::elements_part, {marked("{0} to {1} (byte {2} of it)")}},
    {Id::element_of, {marked("{0}[{1}] (byte {2})")}},
    {Id::byte_of, {marked("byte {0} of {1}")}},
    {Id::bytes_into, {marked("{0} + {1} bytes")}},
    {Id::sized, {marked("{0} ({1} bytes)")}},
    {Id::sized_at_launch, {marked("{0} ({1} bytes at this launch)")}},
    {Id::sized_dynamic, {marked("{0} (dynamic shared memory, {1} bytes at this launch)")}},
    {Id::before_start, {marked("{0} bytes before the start of {1}")}},
    {Id::just_past_end, {marked("just past the end of {0}")}},
    {Id::past_end, {marked("{0} bytes past the end of {1}")}},
    {Id::dynamic_shared, {marked("dynamic shared memory")}},
    {Id::no_shared, {marked("memory that this kernel does not have")}},
    {Id::memory_at, {marked("memory at {0}")}},
    {Id::memory_of_call, {marked("memory of {0} no. {1}")}},
    {Id::memory_of_pitched_call, {marked("pitched memory (its pitch is in bytes) of {0} no. {1}")}},
    {Id::memory_of_call_at, {marked("memory of {0} no. {1} ({2})")}},
    {Id::memory_of_pitched_call_at,
     {marked("pitched memory (its pitch is in bytes) of {0} no. {1} ({2})")}},
    {Id::in_local_memory,
     {marked("{0} is at the thread's own local memory, and an atomic is for global and shared "
             "memory alone")}},
    {Id::memory_of_malloc, {marked("memory of malloc in a kernel")}},
    {Id::null_pointer, {marked("a null pointer")}},
    {Id::null_pointer_plus, {marked("a null pointer plus {0} bytes")}},
    {Id::not_from_malloc, {marked("{0}, which malloc in a kernel has not given")}},
    {Id::nothing_allocated, {marked("{0}, where nothing is allocated")}},
    {Id::constant_of_host,
     {marked("the address of a __constant__ variable that host code copies to ({0}); a kernel "
             "names the variable instead")}},
    {Id::of_cluster, {marked("{0} of block {1} of its cluster")}},

    // Accesses that may not be.
    {Id::is_misaligned, {marked("{0} is at {1}, which is no multiple of {2}")}},
    {Id::access_is, {marked("{0} is {1}")}},
    {Id::access_is_at, {marked("{0} is at {1}")}},
    {Id::goes_through, {marked("{0} goes through {1}")}},
    {Id::past_array, {marked("{0} at {1} reaches past the end of its array, of {2} bytes")}},
    {Id::past_buffer, {marked("{0} at {1} reaches past the end of its buffer, of {2} bytes")}},
    {Id::survived,
     {marked("{0}; a GPU goes on, as the memory behind it is there, with whatever it holds")}},
    {Id::is_in_freed, {marked("{0} is in {1}, which has been freed")}},
    {Id::past_local,
     {marked("{0} is at byte {1} of the thread's local memory, which has {2} bytes")}},
    {Id::misaligned_local,
     {marked("{0} is at byte {1} of the thread's local memory, which is no multiple of {2}")}},
    {Id::unwritten_local,
     {marked("reads byte {0} of the thread's local memory, which it has not written")}},
    {Id::past_parameters,
     {marked("{0} is at byte {1} of the kernel's parameters, which have {2}")}},
    {Id::is_to_constant, {marked("{0} is to constant memory")}},
    {Id::is_to_read_only,
     {marked("{0} is to {1}, which kernels may only read (cudaHostRegisterReadOnly)")}},
    {Id::no_such_rank,
     {marked("{0} is in the shared memory of rank {1} of a cluster of {2} blocks")}},
    {Id::block_has_ended,
     {marked(
         "{0} is at {1}, which has ended: it has to stay until nobody needs its memory any more")}},
    {Id::stores_to_constant,
     {marked("stores to __constant__ memory, which a kernel can only read")}},
    {Id::unwritten, {marked("{0}, which nothing has written")}},
    {Id::unset,
     {marked("uses a variable that nothing has set, which in this order holds anything")}},
    {Id::undefined_branch, {marked("{0}; a branch at line {1} depends on it")}},
    {Id::undefined_address, {marked("{0}; an address at line {1} depends on it")}},
    {Id::undefined_stored, {marked("{0}; what line {1} stores in global memory depends on it")}},
    {Id::undefined_used, {marked("{0}; line {1} uses it")}},
    {Id::partly_unwritten,
     {marked("copies {0} bytes from {1} on, of which some have not been written")}},
    {Id::frees_twice, {marked("frees memory of malloc in a kernel that was freed already")}},
    {Id::frees_foreign, {marked("frees {0}, which malloc in a kernel has not given")}},

    // What a thread does; a sentence goes on behind it.
    {Id::reads, {marked("reads {0}")}},
    {Id::writes, {marked("writes {0}")}},
    {Id::updates, {marked("updates {0}")}},
    {Id::changes, {marked("changes {0}")}},
    {Id::allocates, {marked("allocates {0}")}},
    {Id::copies_from, {marked("copies from {0}")}},
    {Id::copies_to, {marked("copies to {0}")}},
    {Id::a_texture_reads, {marked("a texture reads {0}")}},

    // Who else is there, and what that one does, as part of `meets`.
    {Id::thread, {marked("thread {0}")}},
    {Id::thread_of_block, {marked("thread {0} of block {1}")}},
    {Id::another_thread, {marked("another thread")}},
    {Id::other_threads, {marked("other threads")}},
    {Id::wrote, {marked("{0} wrote")}},
    {Id::did_read, {marked("{0} read")}},
    {Id::updated, {marked("{0} updated")}},
    {Id::initialised, {marked("{0} initialised")}},
    {Id::used, {marked("{0} used")}},
    {Id::stream_reads, {marked("{0} in another stream reads")}},
    {Id::stream_writes, {marked("{0} in another stream writes")}},
    {Id::stream_updates, {marked("{0} in another stream updates")}},
    {Id::stream_allocates, {marked("{0} in another stream allocates")}},
    {Id::stream_frees, {marked("{0} in another stream frees")}},
    {Id::a_copy, {marked("a copy")}},
    {Id::a_copy_to_host, {marked("a copy to the host")}},
    {Id::a_copy_from_host, {marked("a copy from the host")}},
    {Id::a_fill, {marked("a fill")}},
    {Id::an_upload, {marked("an upload")}},

    // Races: what one does, what the other does, and what is missing between the two.
    {Id::meets, {marked("{0}, which {1}, and {2}")}},
    {Id::meets_same_value, {marked("{0}, to which {1} writes the same value, and {2}")}},
    {Id::comes_late, {marked("{0}, which {1}, and gets in this order what was there before: {2}")}},
    {Id::may_overlap,
     {marked("{0}; if the two lines mean different arrays in this memory, these overlap, and no "
             "barrier helps")}},
    {Id::lost_to_another_array,
     {marked("{0}, which line {1} stored over what line {2} had put there and nobody had read; if "
             "the two lines mean different arrays in this memory, these overlap")}},
    {Id::same_value_at_once,
     {marked("{0}, to which another thread of its warp writes the same value in the same "
             "instruction")}},
    {Id::other_value_at_once,
     {marked("{0}, to which another thread of its warp writes a different value in the same "
             "instruction")}},
    {Id::other_bytes_at_once,
     {marked("{0}, to which another thread of its warp copies different bytes in the same "
             "instruction")}},
    {Id::no_barrier, {marked("no barrier is between the two")}},
    {Id::no_barrier_nor_phase, {marked("no barrier is between the two: {0}")}},
    {Id::phase_tells_nothing, {marked("{0}, which was waited for, tells nothing of it")}},
    {Id::phase_not_waited_for, {marked("{0}, which tells of it, was not waited for")}},
    {Id::no_phase_waited_for,
     {marked("no phase of a barrier in memory that tells of it was waited for")}},
    {Id::no_warp_barrier, {marked("no __syncwarp or barrier is between the two")}},
    {Id::no_cluster_barrier, {marked("no barrier of the cluster is between the two")}},
    {Id::no_order, {marked("nothing orders the two")}},
    {Id::no_order_event, {marked("nothing orders the two: an event between them would")}},
    {Id::no_order_cluster, {marked("nothing orders the two: a barrier of the cluster would")}},
    {Id::no_order_cluster_phase,
     {marked("nothing orders the two: a barrier of the cluster would; {0}")}},
    {Id::no_order_scope,
     {marked("nothing orders the two: an atomic of the scope of a block holds within one block")}},
    {Id::no_order_atomic, {marked("nothing orders the two: both would have to be atomic")}},
    {Id::no_order_turns,
     {marked("nothing orders the two blocks: an atomicAdd or the like would let them take turns")}},
    {Id::no_order_grid,
     {marked("nothing orders the two blocks: this_grid().sync() between the two would")}},
    {Id::no_order_fence,
     {marked("nothing orders the two blocks: the writer has to fence (__threadfence) before it "
             "sets a flag or counts, and the reader to look at that first")}},
    {Id::no_order_acquire,
     {marked(
         "the reader has looked at what the writer set behind its fence, but by a relaxed read, "
         "which orders nothing by itself: it takes a fence (__threadfence) behind the look, or "
         "memory_order_acquire")}},
    {Id::no_order_launch,
     {marked(
         "nothing orders the two blocks: that takes a launch of its own, or a fence and a flag")}},
    {Id::host_reads,
     {marked("{0}, which host code reads before it has waited for the kernel: "
             "cudaDeviceSynchronize() first")}},
    {Id::host_writes,
     {marked("{0}, which host code writes before it has waited for the kernel: "
             "cudaDeviceSynchronize() first")}},
    {Id::host_reads_of_copy,
     {marked("{0}, which host code reads before it has waited for the copy: "
             "cudaStreamSynchronize() first")}},
    {Id::host_writes_of_copy,
     {marked("{0}, which host code writes before it has waited for the copy: "
             "cudaStreamSynchronize() first")}},
    {Id::copy_still_writes,
     {marked(
         "{0}, which an asynchronous copy of {1} is still writing: nothing has waited for it")}},
    {Id::tracked_copy_still_writes,
     {marked("{0}, which an asynchronous copy of {1} is still writing: {2}, which tells when it is "
             "done, was not waited for")}},
    {Id::copy_still_reads,
     {marked("{0}, which an asynchronous copy of {1} may still be reading: nothing has waited for "
             "it (cp.async.bulk.wait_group.read)")}},
    {Id::copy_misses_store,
     {marked("copies {0}, which {1} wrote by an ordinary store, and no fence.proxy.async is "
             "between the two: nothing promises that the copy sees it")}},
    {Id::bulk_store_not_done,
     {marked("{0}, which a bulk copy of {1} may not have written yet: wait_group.read waits until "
             "shared memory was read, and cp.async.bulk.wait_group until all is written")}},
    {Id::may_have_ended,
     {marked("is at {0}, which may have ended by then: nothing lets that block wait for this "
             "access; a barrier of the cluster would")}},

    // Lanes of a warp that exchange values.
    {Id::not_in_own_mask, {marked("lane {0} is not in its own mask ({1}), which is undefined")}},
    {Id::exchange_nothing,
     {marked("{0} came here, and {1} of the same mask to another line: they exchange nothing")}},
    {Id::reads_from_idle_lane,
     {marked("lane {0} reads from lane {1}, which takes no part in this shuffle ({2} do): "
             "the value is undefined, used or not")}},
    {Id::reads_from_all_but_one,
     {marked("lane {0} reads from lane {1}, which takes no part in this shuffle (only {2} "
             "does): the value is undefined, used or not")}},
    {Id::lanes_never_come,
     {marked("{0} of warp {1} came here and waited for {2}, which the mask names as well and which "
             "never came")}},
    {Id::lanes_go_past,
     {marked(
         "{0} of warp {1} came here, and the mask names {2} as well, which go on without coming "
         "here: undefined, though a GPU lets them pass")}},
    {Id::needs_whole_warp,
     {marked("a matrix instruction needs all 32 lanes of the warp, and only {0} came here")}},

    // Barriers of a block, a grid, a cluster.
    {Id::no_such_barrier,
     {marked("barrier {0} of {1} threads: there are 16 barriers, for multiples of 32 threads")}},
    {Id::waits_elsewhere,
     {marked("some threads of the block wait at this barrier while others wait at another one, on "
             "line {0}")}},
    {Id::ended_before_barrier,
     {marked("{0} of the block's {1} threads ended before this barrier, and it waits for them on "
             "devices before compute capability 7.0; later ones go on without them")}},
    {Id::waits_for_ever, {marked("{0} of the block's {1} threads wait at this barrier for ever")}},
    {Id::waits_for_others,
     {marked("{0} of the block's {1} threads wait at this barrier for ever: {2} of warp {3} "
             "stayed at line {4}")}},
    {Id::waits_for_branch,
     {marked("{0} of the block's {1} threads wait at this barrier for ever: {2} of warp {3} "
             "never came to it, but waited for the others behind the branch that parted them")}},
    {Id::grid_waits,
     {marked("{0} of the grid's {1} blocks wait at this barrier of the grid for ever")}},
    {Id::grid_waits_for_ended,
     {marked("{0} of the grid's {1} blocks wait at this barrier of the grid for ever: {2} ended "
             "without it, or without their thread (0,0,0), which arrives for its block")}},
    {Id::one, {marked("one")}},
    {Id::cluster_waits,
     {marked("{0} of the cluster's {1} threads are at this barrier of the cluster for ever")}},
    {Id::cluster_waits_for_others,
     {marked("{0} of the cluster's {1} threads are at this barrier of the cluster for ever: in "
             "block {2} {3} of warp {4} stayed at line {5}")}},
    {Id::aligned_by_some,
     {marked(
         "a barrier of the cluster with .aligned needs all lanes of the warp, and only {0} came "
         "here together")}},

    // Barriers in memory.
    {Id::arrives_at, {marked("arrives at {0}")}},
    {Id::waits_for, {marked("waits for {0}")}},
    {Id::invalidates, {marked("invalidates {0}")}},
    {Id::initialises, {marked("initialises {0}")}},
    {Id::tells_of_copy, {marked("tells of a copy to {0}")}},
    {Id::tells_of_bytes, {marked("tells of bytes to {0}")}},
    {Id::is_no_barrier, {marked("{0}, which is no barrier: nothing has initialised it before")}},
    {Id::is_ended,
     {marked("{0}, which is no barrier any more: {1} has ended it (mbarrier.inval)")}},
    {Id::too_many_arrivals, {marked("tells {0} of {1} arrivals; a barrier counts to {2}")}},
    {Id::too_many_bytes, {marked("tells {0} of {1} bytes; a barrier counts to {2}")}},
    {Id::wrong_count, {marked("initialises {0} for {1} arrivals; a barrier expects 1 to {2}")}},
    {Id::initialised_again,
     {marked("initialises a barrier again that is in use: {0} has begun and not ended")}},
    {Id::writes_over_barrier,
     {marked("{0}, where a barrier is that is in use: {1} goes on; mbarrier.inval ends that")}},
    {Id::barrier_not_made_known,
     {marked("tells {0}, which this thread has initialised just before: neither a "
             "fence.mbarrier_init nor a barrier of the block is between the two")}},
    {Id::phase, {marked("phase {0} of {1}")}},
    {Id::wait_not_seen,
     {marked("waits for phase {0} of {1}, and phase {2} can end before this wait has seen it: "
             "nobody who arrives for that one comes behind the wait. Two phases on, a parity is "
             "the same again, and the wait may never end")}},
    {Id::first_wait_not_seen,
     {marked("waits for the phase before the first of {0}, and phase {1} can end before this wait "
             "has seen it: nobody who arrives for that one comes behind the wait. Two phases on, a "
             "parity is the same again, and the wait may never end")}},
    {Id::arrives_too_often, forms("arrives once for {1}, which expects {2} and has {3} left",
                                  "arrives {0} times for {1}, which expects {2} and has {3} left")},
    {Id::must_not_be_last, {marked("{0}: an arrival with .noComplete must not be the last")}},
    {Id::ends_early,
     {marked("{0} ends before the {1} bytes of this copy are there: it was told to expect fewer "
             "than are copied")}},
    {Id::waits_for_nothing, {marked("waits for a barrier that is not there")}},
    {Id::never_ends, forms("{0} lane waits here for {1}, which never ends: {2}",
                           "{0} lanes wait here for {1}, which never ends: {2}")},
    {Id::no_barrier_any_more, {marked("it is no barrier any more")}},
    {Id::arrivals_missing,
     forms("{0} of its {1} arrivals is missing", "{0} of its {1} arrivals are missing")},
    {Id::arrival_missing,
     forms("{0} of its {1} arrival is missing", "{0} of its {1} arrival are missing")},
    {Id::bytes_do_not_come, {marked("{0} bytes that it was told to expect do not come")}},
    {Id::bytes_not_told_of, {marked("{0} bytes came that it was not told to expect")}},
    {Id::both, {marked("{0}, and {1}")}},
    {Id::came_too_late,
     {marked("{0} (if the wait was for phase {1}, it came too late: two phases on, the parity is "
             "the same)")}},
    {Id::other_parity,
     {marked("{0}. Phase {1} has ended, and nobody has arrived for this one: a wait for phase {1} "
             "has parity {2}")}},
    {Id::meanwhile, {marked("{0}; meanwhile {1} of warp {2} stayed at line {3}")}},

    // Bulk copies and tensor maps.
    {Id::bulk_of_odd_size,
     {marked("a bulk copy of {0} bytes, which is no multiple of 16: a GPU copies the first {1}, "
             "says nothing, and a barrier that waits for all of them never goes on")}},
    {Id::bulk_misaligned, {marked("a bulk copy is at {0}, which is no multiple of 16")}},
    {Id::bulk_past_array,
     {marked("a bulk copy of {0} bytes at {1} reaches past the end of its array")}},
    {Id::bulk_past_end, {marked("a bulk copy of {0} bytes at {1} reaches past its end")}},
    {Id::bulk_is, {marked("a bulk copy of {0} bytes is {1}")}},
    {Id::bulk_is_at, {marked("a bulk copy of {0} bytes is at {1}")}},
    {Id::bulk_in_freed, {marked("a bulk copy of {0} bytes is in {1}, which has been freed")}},
    {Id::copies_to_other_block,
     {marked(
         "copies to block {0} and tells a barrier of block {1}: both have to be in one block")}},
    {Id::stores_to_other_block,
     {marked(
         "stores to block {0} and tells a barrier of block {1}: both have to be in one block")}},
    {Id::ends_while_copy_reads,
     {marked("the block ends while this bulk copy may still read its shared memory: its thread has "
             "to wait for it first (cp.async.bulk.wait_group.read 0)")}},
    {Id::ends_while_copy_writes,
     {marked("the block ends while this copy may still write its shared memory: nobody has waited "
             "for its barrier")}},
    {Id::other_ends_while_copy_writes,
     {marked("block {0} of its cluster ends while this copy may still write its shared memory: "
             "nobody has waited for its barrier")}},
    {Id::map_not_in_memory, {marked("the tensor map of this copy is not in memory")}},
    {Id::no_tensor_map,
     {marked("what this copy takes for a tensor map is none: cuTensorMapEncodeTiled makes them, "
             "and a kernel gets one as a const __grid_constant__ parameter")}},
    {Id::other_dimensions, {marked("a copy by {0} coordinates, and a map of {1} dimensions")}},
    {Id::odd_coordinate,
     {marked("the innermost coordinate is {0}, of elements of {1} bytes: it has to be at a "
             "multiple of 16 bytes, or a GPU ends the kernel with an illegal instruction")}},
    {Id::box_misaligned,
     {marked("a copy of a box is at {0}, which is no multiple of 128: alignas({1}) makes an array "
             "begin at one, and extern __shared__ __align__({1}) one of dynamic shared memory")}},

    // Products of warpgroups.
    {Id::no_warpgroup,
     {marked("a warpgroup is four warps, of which the first has a number that 4 divides: from warp "
             "{0} on this block has {1}")}},
    {Id::other_descriptors,
     {marked("warp {0} has other descriptors here than another warp of its warpgroup: all four "
             "have to start the same product")}},
    {Id::other_product,
     {marked("warp {0} is here, and another warp of its warpgroup: all four have to start the same "
             "product")}},
    {Id::other_product_on_line,
     {marked("warp {0} is here, and another warp on line {1} of its warpgroup: all four have to "
             "start the same product")}},
    {Id::register_accessed,
     {marked("this product has a register that was accessed, and no wgmma.fence is between the "
             "two: nothing promises that it sees what is there")}},
    {Id::register_accessed_on_line,
     {marked("this product has a register that was accessed on line {0}, and no wgmma.fence is "
             "between the two: nothing promises that it sees what is there")}},
    {Id::no_first_fence,
     {marked("the first product of a warpgroup, and no wgmma.fence is before it")}},
    {Id::descriptor_splits_rows,
     {marked("the descriptor of {0} begins {1} bytes into a row of {2} (swizzle {3}): 32 bytes "
             "from there on are in two rows")}},
    {Id::descriptor_leads_out, {marked("the descriptor of {0} leads to a row that is {1}")}},
    {Id::descriptor_undivided,
     {marked("the descriptor of {0} has the address of {1} as it is: bits 0 to 13 are the address "
             "divided by 16")}},
    {Id::descriptor_swizzle,
     {marked(
         "the descriptor of {0} says swizzle {1}, and the tensor map that brought {2} has {3}")}},
    {Id::descriptor_base_offset,
     {marked("the descriptor of {0} has the base offset {1}, and what a tensor map brings is "
             "swizzled by its address, for which that is 0")}},
    {Id::product_misses_store,
     {marked("multiplies {0}, which {1} wrote by an ordinary store, and no fence.proxy.async is "
             "between the two: nothing promises that wgmma sees it")}},
    {Id::the_wgmma, {marked("the wgmma")}},
    {Id::the_wgmma_on_line, {marked("the wgmma on line {0}")}},
    {Id::product_may_read,
     {marked("{0}, which {1} of warpgroup {2} may still be reading: nothing has waited for it "
             "(wgmma.wait_group)")}},
    {Id::product_has_read,
     {marked("{0}, which {1} of warpgroup {2} has read, and nothing orders this behind a wait for "
             "it")}},
    {Id::product_has_read_phase,
     {marked("{0}, which {1} of warpgroup {2} has read, and nothing orders this behind a wait for "
             "it: {3}")}},
    {Id::reads_result_early,
     {marked("reads a register that {0} may not have written yet: nothing has waited for it "
             "(wgmma.wait_group)")}},
    {Id::writes_operand_early,
     {marked("writes a register that {0} may still read or write: nothing has waited for it "
             "(wgmma.wait_group)")}},
    {Id::product_never_starts,
     {marked("warp {0} waits here for a product of its warpgroup that warp {1} never starts")}},
    {Id::product_never_starts_ended,
     {marked("warp {0} waits here for a product of its warpgroup that warp {1} never starts: it "
             "has ended")}},
    {Id::product_never_starts_waits,
     {marked("warp {0} waits here for a product of its warpgroup that warp {1} never starts: it "
             "waits at line {2}")}},

    // Registers that warps hand to each other.
    {Id::registers_never_come,
     {marked("asks for {0} registers a thread and has {1}: its warpgroup waits for {2} more for "
             "ever, and {3} are left of those that were given back; {4}")}},
    {Id::registers_kept, {marked("warp {0} still has its {1} a thread, and is at line {2}")}},
    {Id::registers_lost,
     {marked("warp {0} has ended with its {1} a thread, which nobody gets then")}},
    {Id::registers_beyond_launch,
     {marked("what all warps ask for adds up to {0}, and the block began with {1}")}},

    // Textures and surfaces.
    {Id::surface_as_texture, {marked("uses a surface object as a texture")}},
    {Id::texture_as_surface, {marked("uses a texture object as a surface")}},
    {Id::no_texture, {marked("uses a texture object that does not exist, or was destroyed")}},
    {Id::no_surface, {marked("uses a surface object that does not exist, or was destroyed")}},
    {Id::texture_freed, {marked("a texture is read whose array or memory has been freed")}},
    {Id::outside_surface,
     {marked("a surface access at byte {0} of row {1} is outside of an array of {2} rows of {3} "
             "bytes; x counts bytes, not elements")}},
    {Id::outside_surface_slices,
     {marked("a surface access at byte {0} of row {1} of slice {2} is outside of an array of {3} "
             "rows of {4} bytes; x counts bytes, not elements")}},

    // Why a kernel was ended.
    {Id::trap, {marked("the kernel ends itself with a trap")}},
    {Id::trap_of_compiler,
     {marked("the compiler put a trap in the place of what would be undefined, as a store to "
             "__constant__ memory is; its warning says where")}},
    {Id::needs_cooperative_launch,
     {marked("this_grid().sync() waits for all blocks of the grid, which only a cooperative launch "
             "has on the device together: launch it by cudaLaunchCooperativeKernel, or with "
             "cudaLaunchAttributeCooperative")}},
    {Id::assertion_failed, {marked("assertion `{0}` failed")}},
    {Id::calls_no_function, {marked("calls through a pointer that is no function of this module")}},
    {Id::calls_with_other_parameters,
     {marked("calls {0} with another number of parameters than it has")}},
    {Id::stack_is_full, {marked("the stack is full: does {0} call itself without end?")}},
    {Id::still_running, {marked("still running after {0} warp-instructions: a loop without end?")}},
    {Id::looks_for_ever,
     {marked("looks for what nobody does any more: all others have ended, or wait themselves")}},
    {Id::needs_more_instructions, {marked("the kernel needs more than {0} warp-instructions")}},
    {Id::was_here,
     {marked("was here when the run was stopped, after {0} warp-instructions of its block")}},
    {Id::before_other_streams,
     {marked("{0}. Launches of other streams, for which it may wait, begin when it has ended: no "
             "GPU promises that they are there with it")}},
    {Id::stopped_before, {marked("the run was stopped before")}},
    {Id::enough_of_it, {marked("{0}; the kernel was ended there, after {1} errors of one block")}},

    // What a GPU says of a kernel: its name, and the driver's words.
    {Id::gpu_illegal_address, {marked("{0} touches memory that it was not given ({1})")}},
    {Id::gpu_wrong_space, {marked("{0} uses an address in the wrong memory space ({1})")}},
    {Id::gpu_misaligned,
     {marked("{0} uses an address that is no multiple of the access's size ({1})")}},
    {Id::gpu_assert, {marked("{0} failed an assert ({1})")}},
    {Id::gpu_illegal_instruction, {marked("{0} executed a trap or an illegal instruction ({1})")}},
    {Id::gpu_launch_failed,
     {marked("{0} was ended by the GPU: a trap, or an access that it does not allow (shared memory "
             "out of range, say) ({1})")}},
    {Id::gpu_stack, {marked("{0} ran out of stack, or damaged it ({1})")}},
    {Id::gpu_no_code, {marked("{0} jumped to an address that holds no code ({1})")}},
    {Id::gpu_watchdog, {marked("{0} was ended by the display's watchdog ({1})")}},
    {Id::a_kernel, {marked("a kernel")}},
    {Id::memory_of_plan, {marked("memory that the plan allocated")}},
    {Id::gpu_before_start, {marked("{0} writes {1} bytes before the start of {2}")}},
    {Id::gpu_past_end, {marked("{0} writes past the end of {1}, at byte {2}")}},
    {Id::gpu_did_not_end,
     {marked("the kernels did not end within {0} on the GPU, and were stopped")}},
    {Id::gpu_not_executed, {marked("this was not executed, as what came before it did not end")}},

    // Why a step of a plan cannot be done.
    {Id::step_is, {marked("{0} of {1} bytes is {2}")}},
    {Id::step_leaves_constant,
     {marked("{0} of {1} bytes is not within the constant memory of its module")}},
    {Id::source_of_copy, {marked("the source of a copy")}},
    {Id::target_of_copy, {marked("the target of a copy")}},
    {Id::variables_exceed_memory,
     {marked("the module's variables exceed the device's memory ({0} bytes)")}},
    {Id::plan_exceeds_memory,
     {marked("the plan allocates more memory than the device has ({0} bytes)")}},
    {Id::plan_allocates_over, {marked("the plan allocates {0} over {1}")}},
    {Id::memory, {marked("memory")}},
    {Id::plan_frees_unallocated, {marked("the plan frees what it has not allocated")}},
    {Id::no_managed_variable, {marked("the module has no __managed__ variable {0}")}},
    {Id::no_module_of_symbol, {marked("a symbol of a module that does not exist")}},
    {Id::no_symbol, {marked("the module has no symbol {0}")}},
    {Id::past_symbol, {marked("a copy of {0} bytes at symbol {1}, which has {2}")}},
    {Id::no_module_of_kernel, {marked("a kernel of a module that does not exist")}},
    {Id::size, {marked("{0} x {1} x {2}")}},
    {Id::other_clusters,
     {marked("{0} is launched in clusters of {1} blocks; its __cluster_dims__ are others")}},
    {Id::too_large_clusters,
     {marked("{0} is launched in clusters of {1} blocks; this device allows {2}")}},
    {Id::no_multiple_of_clusters,
     {marked("{0} is launched with a grid of {1} blocks, which is no multiple of its clusters of "
             "{2}")}},
    {Id::cooperative_clusters,
     {marked("{0} is launched cooperatively in clusters, which is not available")}},
    {Id::no_threads, {marked("{0} is launched without threads")}},
    {Id::too_many_threads,
     {marked(
         "{0} is launched with {1} threads a block; this device allows {2} ({3}, {4} and {5} in "
         "x, y and z)")}},
    {Id::too_large_grid, {marked("{0} is launched with a grid that is too large")}},
    {Id::too_much_shared,
     {marked("{0} needs {1} bytes of shared memory a block; this device has {2}")}},
    {Id::beyond_launch_bounds,
     {marked("{0} is launched with {1} threads a block; its __launch_bounds__ allow {2}")}},
    {Id::beyond_cooperative,
     {marked(
         "{0} is launched cooperatively with {1} blocks; this device has room for {2} at once")}},
    {Id::too_few_arguments,
     {marked("{0} is launched with {1} bytes of arguments and has parameters of {2}")}},
    {Id::no_memory_for_plan,
     {marked("this machine has not enough memory for what the plan allocates")}},
    {Id::another_program,
     {marked("the file's PTX is not what its machine code was made of: a comment in inline "
             "assembly does not end at the same place for all of nvcc's programs")}},
    {Id::no_memory_here, {marked("this computer has not enough memory for it")}},

    // Why the CUDA runtime refuses a launch.
    {Id::no_extent_of_grid, {marked("the grid has no extent in {0}")}},
    {Id::no_extent_of_block, {marked("the block has no extent in {0}")}},
    {Id::grid_too_large, {marked("the grid is {0} in {1}; this device allows {2}")}},
    {Id::block_too_large, {marked("the block is {0} in {1}; this device allows {2}")}},
    {Id::threads_beyond_device, {marked("{0} threads a block; this device allows {1}")}},
    {Id::threads_beyond_bounds,
     {marked("{0} threads a block; the kernel's __launch_bounds__ allow {1}")}},
    {Id::threads_beyond_registers,
     {marked("{0} threads of {1} registers each; a block has {2} registers")}},
    {Id::too_much_static_shared,
     {marked("{0} bytes of static shared memory; at most {1} can be static")}},
    {Id::shared_beyond_device,
     {marked(
         "{0} bytes of dynamic shared memory a block beside {1} static ones; this device allows "
         "{2} in all")}},
    {Id::shared_beyond_attribute,
     {marked("{0} bytes of dynamic shared memory a block; this kernel may have {1} until "
             "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {2})")}},
    {Id::cooperative_too_large,
     {marked(
         "a cooperative grid of {0} x {1} x {2} blocks; {3} of them fit on each of this device's "
         "{4} multiprocessors, {5} in all")}},
    {Id::cluster_too_large,
     {marked("clusters of {0} x {1} x {2} blocks; this device allows {3}, and {4} where the "
             "kernel's attribute cudaFuncAttributeNonPortableClusterSizeAllowed is set")}},
    {Id::grid_is_no_multiple,
     {marked(
         "a grid of {0} x {1} x {2} blocks, which is no multiple of its clusters of {3} x {4} x "
         "{5}")}},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kWords); ++i)
    if (static_cast<std::size_t>(kWords[i].id) != i + 1) return false;
  return std::size(kWords) + 1 == std::size(device::kMessages);
}
static_assert(in_order(), "kWords has every message of messages.def, in its order");

std::string hexadecimal(device::Pointer pointer) {
  return fmt::format("{:#x}", pointer.value);
}

// "lanes 0-3, 7", "lane 7". What is said of them has to fit one as well as several: they "came".
std::string lanes_in_words(std::uint32_t mask) {
  constexpr int kLanes = 32;
  std::string text;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1)) ++last;
    if (!text.empty()) text += ", ";
    text += last > lane ? fmt::format("{}-{}", lane, last) : std::to_string(lane);
    lane = last;
  }
  return std::popcount(mask) == 1 ? tr("lane {}", text) : tr("lanes {}", text);
}

std::string access_in_words(const device::LaneAccess& access) {
  using Does = device::LaneAccess::Does;
  const bool eight = access.bytes == 8; // "an 8-byte load"
  switch (access.does) {
  case Does::load:
    return eight ? tr("an {}-byte load", access.bytes) : tr("a {}-byte load", access.bytes);
  case Does::store:
    return eight ? tr("an {}-byte store", access.bytes) : tr("a {}-byte store", access.bytes);
  case Does::atomic:
    return eight ? tr("an {}-byte atomic", access.bytes) : tr("a {}-byte atomic", access.bytes);
  }
  return "";
}

struct PartInWords {
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(device::Count count) const { return thousands(count.value); }
  std::string operator()(const std::string& name) const { return name; }
  std::string operator()(const device::Dim3& at) const {
    return fmt::format("({},{},{})", at.x, at.y, at.z);
  }
  std::string operator()(device::Lanes lanes) const { return lanes_in_words(lanes.mask); }
  std::string operator()(device::Pointer pointer) const { return hexadecimal(pointer); }
  std::string operator()(const device::LaneAccess& access) const { return access_in_words(access); }
  std::string operator()(const device::Message& message) const { return in_words(message); }
};

// Of the number that a plural goes by.
std::uint64_t first_count(const device::Message& message) {
  if (message.parts.empty()) return 0;
  const auto* count = std::get_if<device::Count>(&message.parts[0].value);
  return count ? count->value : 0;
}

} // namespace

std::string in_words(const device::Message& message) {
  if (message.id == device::kText && device::is_whole(message))
    return reason_in_words(std::visit(PartInWords(), message.parts.front().value));
  const auto at = static_cast<std::size_t>(message.id);
  if (at == 0 || at > std::size(kWords) || !device::is_whole(message)) return "";
  fmt::dynamic_format_arg_store<fmt::format_context> parts;
  for (const auto& part : message.parts) parts.push_back(std::visit(PartInWords(), part.value));
  const auto& said = kWords[at - 1].forms;
  return said.many ? language::formatted(said.one, said.many, first_count(message), parts)
                   : language::formatted(said.one, parts);
}

} // namespace course::report
