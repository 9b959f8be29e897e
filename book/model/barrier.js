// A barrier in shared memory (mbarrier): it counts arrivals and bytes, phase by phase. As the PTX ISA has it and an H200
// was seen to do (book/data/h200/hopper_tma_faults.csv); grader/device/emulator/execute/mbarrier.hpp is the same.
export class Barrier {
  constructor(arrivals) {
    this.arrivals = arrivals; // that a phase waits for
    this.pending = arrivals; // of them, that are missing
    this.bytes = 0; // that this phase was told to expect, less those that came
    this.phase = 0; // as many before it are complete
  }
  // More than a phase waits for are not defined.
  arrive() {
    --this.pending;
    this.#settle();
  }
  arriveExpecting(bytes) {
    this.bytes += bytes;
    this.arrive();
  }
  come(bytes) {
    this.bytes -= bytes;
    this.#settle();
  }
  // What a wait for this parity sees: is the phase that had it complete? Before phase 0, parity 1 counts as complete.
  isPast(parity) {
    return this.phase % 2 !== parity;
  }
  #settle() {
    if (this.pending > 0 || this.bytes !== 0) return;
    ++this.phase;
    this.pending = this.arrivals;
  }
}

const CHUNK = 16;

// A bulk copy of `size` bytes for a barrier: it comes in chunks of 16, and what is left of a size that is no multiple
// does not come at all. In `parts` of about equal length, so that a phase can end between them.
export function partsOfCopy(size, parts) {
  const chunks = Math.floor(size / CHUNK);
  return Array.from(
    {length: parts},
    (_, i) => CHUNK * (Math.floor((chunks * (i + 1)) / parts) - Math.floor((chunks * i) / parts)),
  );
}
