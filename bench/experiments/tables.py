#!/usr/bin/env python3
"""From what bench/experiments.sh run left (OUT) to the book's tables: tables.py OUT book/data/h200"""

import csv
import io
import sys
from pathlib import Path

out, to = Path(sys.argv[1]), Path(sys.argv[2])
heading = (out / "experiments.csv").read_text().splitlines()[:2]
heading[0] = heading[0].split(" MHz")[0].rsplit(",", 1)[0] + "; CUDA 13.0; clocks left alone (1980 MHz)"
profiler = "ncu 2025.3.1, --clock-control none"


def write(name, command, columns, rows):
    lines = heading + [f"# command: {command}"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    (to / name).write_text("\n".join(lines) + "\n" + text.getvalue())


def ncu_rows(name):
    text = (out / name).read_text()
    rows = list(csv.DictReader(io.StringIO(text[text.index('"ID"') :])))
    return [{key: value.replace(",", "") for key, value in row.items()} for row in rows[1:]]


def plain_name(kernel):
    return kernel.replace("<unnamed>::", "").replace("void ", "").split("(")[0].replace(", ", " ")


for name in ["experiments.csv", "cycles.csv"]:
    lines = (out / name).read_text().splitlines(keepends=True)
    (to / name).write_text(heading[0] + "\n" + "".join(lines[1:]))

carve, alternating = [], []
for line in (out / "carve_out.csv").read_text().splitlines()[4:]:
    (alternating if line.startswith("alternating") else carve).append(line.split(","))
run = "bench/experiments.sh run; "
# First the wish alone, then three wishes for blocks of many sizes.
sweep = [row for row in carve[:102] if row[0] != "-1"]
blocks = [["-1", "0", "", carve[0][3]]] + carve[102:]
write(
    "carve_out.csv",
    run + "wish in per cent; blocks of 8 KiB that were there at once; largest ring of loads without misses beside no block",
    ["wish", "blocks_of_8_kib", "cache_kib"],
    [[row[0], row[2], row[3]] for row in sweep],
)
write(
    "carve_out_blocks.csv",
    run + "wish in per cent (-1: none), blocks that were there at once, largest ring of loads of a kernel with such blocks",
    ["wish", "block_bytes", "resident_blocks", "cache_kib"],
    blocks,
)
write(
    "alternating.csv",
    run + "two kernels of 10 us in turn, in one stream or in two; events, medians of 31 runs of 100 pairs",
    alternating[0][1:],
    [row[1:] for row in alternating[1:]],
)

conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"
counts = {
    "wavefronts": "memory_l1_wavefronts_shared",
    "ideal_wavefronts": "memory_l1_wavefronts_shared_ideal",
    "raw_counter_ld": conflicts + "ld.sum",
    "raw_counter_st": conflicts + "st.sum",
    "requests_ld": "smsp__inst_executed_op_shared_ld.sum",
    "requests_st": "smsp__inst_executed_op_shared_st.sum",
    "bank_reads": "l1tex__data_bank_reads.sum",
    "bank_writes": "l1tex__data_bank_writes.sum",
    "time_ns": "gpu__time_duration.sum",
}
rows = []
for again in (1, 2, 3):
    for row in ncu_rows(f"ncu_counter_{again}.csv"):
        rows.append([plain_name(row["Kernel Name"]), again] + [row[each] for each in counts.values()])
write("counter.csv", f"{run}{profiler}, of bench/experiments/counter.cu", ["kernel", "run", *counts], rows)

sectors = {
    "sectors_ld": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "sectors_st": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "wavefronts": counts["wavefronts"],
    "ideal_wavefronts": counts["ideal_wavefronts"],
    "time_ns": counts["time_ns"],
}
orders = {"ordered<0>": "divergent", "ordered<1>": "interleaved", "ordered<2>": "sequential"}
tails = {"1": " documents' tail", "0": ""}
rows, numbers = [], {"32768": 22, "8192": 22, "16384": 22, "131072": 25}
for row in ncu_rows("ncu_sums.csv"):
    name, each = plain_name(row["Kernel Name"]), 1
    if name in orders:
        way = orders[name]
    else:
        place, arguments = name.rstrip(">").split("<")
        each = int(arguments.split()[0])
        way = place.replace("_", " ") + tails.get((arguments.split() + ["0"])[1], "")
    block = row["Block Size"].strip("()").split()[0]
    grid = row["Grid Size"].strip("()").split()[0]
    rows.append([way, block, each, int(block) * int(grid) * each] + [row[key] for key in sectors.values()])
write(
    "sums.csv",
    f"{run}{profiler}, of bench/experiments/sums.cu once",
    ["way", "block", "each", "numbers", *sectors],
    rows,
)

# The source page: a row for each machine instruction that touches memory or waits at a barrier.
columns = {
    "executed": "Instructions Executed",
    "wavefronts": "L1 Wavefronts Shared",
    "ideal_wavefronts": "L1 Wavefronts Shared Ideal",
    "excessive": "L1 Wavefronts Shared Excessive",
    "ways": "L1 Conflicts Shared N-Way",
    "sectors": "L2 Theoretical Sectors Global",
    "ideal_sectors": "L2 Theoretical Sectors Global Ideal",
    "samples": "# Samples",
    "long_scoreboard": "stall_long_sb",
    "short_scoreboard": "stall_short_sb",
    "mio": "stall_mio",
    "barrier": "stall_barrier",
}
rows = []
for side in (512, 4096):
    kernel, line, head = "", "", []
    for row in csv.reader((out / f"ncu_source_{side}_cuda_sass.csv").open()):
        if not row or row[0] in ("File Path", "File Name"):
            continue
        if row[0] == "Function Name":
            kernel = row[1].split("::")[0]
        elif row[0] == "Line No":
            head = row
        elif head and len(row) == len(head):
            cell = dict(zip(head[2:], row[2:]))
            line = row[0] or line
            words = cell["Source"].split()
            code = next((word for word in words if word[:3] in ("LDS", "STS", "LDG", "STG", "BAR")), None)
            if code:
                values = [cell[column] if cell[column] not in ("-", "") else "0" for column in columns.values()]
                rows.append([kernel, side, line, code] + values)
unique = [list(row) for row in dict.fromkeys(map(tuple, rows))]
write(
    "profiled_lines.csv",
    f"{run}{profiler} --set full, --page source, of bench/experiments/profiled.cu",
    ["kernel", "side", "line", "instruction", *columns],
    unique,
)

wanted = {
    "time_ns": "gpu__time_duration.sum",
    "dram_bytes_read": "dram__bytes_read.sum",
    "l1_per_cent": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "raw_counter_ld": conflicts + "ld.sum",
    "raw_counter_st": conflicts + "st.sum",
    "wavefronts": counts["wavefronts"],
    "ideal_wavefronts": counts["ideal_wavefronts"],
    "sectors_ld": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "requests_ld": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "cycles_an_instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
    "long_scoreboard": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "short_scoreboard": "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "mio_throttle": "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "barrier": "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "lg_throttle": "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "eligible_warps": "smsp__warps_eligible.avg.per_cycle_active",
}
rows = []
for side in (512, 4096):
    for row in ncu_rows(f"ncu_raw_{side}.csv"):
        kernel = row["Kernel Name"].split("::")[0]
        rows.append([kernel, side] + [row.get(metric, "") for metric in wanted.values()])
write(
    "profiled.csv",
    f"{run}{profiler} --set full, --page raw, of bench/experiments/profiled.cu",
    ["kernel", "side", *wanted],
    rows,
)
