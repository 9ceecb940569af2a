#!/usr/bin/python3
"""The seed job by Talweg and by joblib with scikit-image, side by side.

    bench/side_by_side/seed_job.py [--talweg PROGRAM] [--rounds N]   times both
    bench/side_by_side/seed_job.py --check                           compares answers only

The job: 20 points on a random surface of 1000 x 1000 cells, least-cost costs
and paths between all of them, by two worker processes. Talweg runs as a user
would run it: one command that starts a private server and its workers, uploads
the surface, answers and writes both files. The peer is joblib (loky, two jobs)
with one MCP_Geometric and all its tracebacks per task; its early stop is used.

Rounds alternate between the two. Every round's answers are compared: costs bit
for bit, and every path's summed step cost with its cost. The verdict takes the
whole command on Talweg's side, and on the peer's only the parallel section,
without the start of Python and its imports.

Runs by Debian's python3 (python3-numpy, python3-skimage, python3-joblib); ends
with code 77 where these are absent.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import joblib
    import numpy
    from skimage.graph import MCP_Geometric
except ImportError as missing:
    print(f"skipped: {missing} (scripts/install_deps.sh --with peers)")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
SIZE, POINTS, WORKERS = 1000, 20, 2


def write_job(folder):
    numpy.random.seed(123)
    cost = numpy.random.rand(SIZE, SIZE)
    points = [(numpy.random.randint(0, SIZE), numpy.random.randint(0, SIZE)) for _ in range(POINTS)]
    numpy.save(folder / "cost.npy", cost)
    with open(folder / "pois.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["row", "col"])
        writer.writerows(points)


def read_job(folder):
    with open(folder / "pois.csv", newline="") as file:
        points = [(int(row["row"]), int(row["col"])) for row in csv.DictReader(file)]
    return numpy.load(folder / "cost.npy"), points


# ---- The two ways ------------------------------------------------------------


def run_talweg(program, folder):
    """Wall time of the whole command, in seconds."""
    command = [program, "matrix", "cost.npy", "--pois", "pois.csv", "--out", "m.npy",
               "--paths", "p.jsonl", "--workers", str(WORKERS)]
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def search_from(cost, source, points):
    """One task: the costs and paths from one source to all points."""
    engine = MCP_Geometric(cost, fully_connected=True)
    field, _ = engine.find_costs([source], points)
    return [field[point] for point in points], [engine.traceback(point) for point in points]


def run_peer_here(folder):
    """The peer's job in this process; returns the time of its parallel section."""
    cost, points = read_job(folder)
    start = time.perf_counter()
    rows = joblib.Parallel(n_jobs=WORKERS, backend="loky")(
        joblib.delayed(search_from)(cost, source, points) for source in points)
    elapsed = time.perf_counter() - start
    numpy.save(folder / "peer.npy", numpy.array([costs for costs, _ in rows]))
    with open(folder / "peer.jsonl", "w") as file:
        for i, (costs, paths) in enumerate(rows):
            for j, path in enumerate(paths):
                cells = [[int(row), int(col)] for row, col in path]
                print(json.dumps({"from_id": str(i), "to_id": str(j), "cost": float(costs[j]), "cells": cells}),
                      file=file)
    return elapsed


def run_peer(folder):
    """Wall time of the whole process and of its parallel section, in seconds."""
    start = time.perf_counter()
    output = subprocess.run([sys.executable, __file__, "--peer-in", str(folder)], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return time.perf_counter() - start, float(output.split()[-1])


# ---- Checks ------------------------------------------------------------------


def check_costs(folder):
    ours, theirs = numpy.load(folder / "m.npy"), numpy.load(folder / "peer.npy")
    assert ours.dtype == numpy.float64 and ours.shape == theirs.shape, (ours.dtype, ours.shape)
    differing = numpy.argwhere(ours.view(numpy.uint64) != theirs.view(numpy.uint64))
    assert len(differing) == 0, f"{len(differing)} of {ours.size} costs differ, the first at {differing[0]}"
    return ours


def check_paths(folder, matrix):
    """Every path joins its points by single steps, and its step costs add up to its cost."""
    cost, points = read_job(folder)
    seen = set()
    with open(folder / "p.jsonl") as file:
        for line in file:
            path = json.loads(line)
            i, j = int(path["from_id"]), int(path["to_id"])
            cells = [tuple(cell) for cell in path["cells"]]
            assert (i, j) not in seen and path["outcome"] == "ok", line[:100]
            seen.add((i, j))
            assert cells[0] == points[i] and cells[-1] == points[j], f"path {i} to {j} ends elsewhere"
            total = 0.0
            for (r0, c0), (r1, c1) in zip(cells, cells[1:]):
                assert max(abs(r1 - r0), abs(c1 - c0)) == 1, f"path {i} to {j} jumps"
                length = 1.0 if r0 == r1 or c0 == c1 else 2.0**0.5
                total += (length / 2) * (float(cost[r0, c0]) + float(cost[r1, c1]))
            assert total == path["cost"] == matrix[i, j], (i, j, total, path["cost"], matrix[i, j])
    assert len(seen) == len(points) ** 2, f"{len(seen)} paths"


def check(folder):
    matrix = check_costs(folder)
    check_paths(folder, matrix)


# ---- Main --------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--talweg", default=os.environ.get("TALWEG", str(ROOT / "build/release/bin/talweg")))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true", help="compare the answers, time nothing")
    parser.add_argument("--peer-in", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer_in:
        print(run_peer_here(arguments.peer_in))
        return

    program = str(Path(arguments.talweg).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_job(folder)
        if arguments.check:
            run_peer(folder)
            run_talweg(program, folder)
            check(folder)
            print(f"{POINTS**2} costs equal bit for bit, {POINTS**2} paths add up")
            return

        ours, process, section = [], [], []
        for number in range(arguments.rounds):
            ours.append(run_talweg(program, folder))
            whole, parallel = run_peer(folder)
            process.append(whole)
            section.append(parallel)
            check(folder)
            print(f"round {number + 1}: talweg {ours[-1]:.3f} s, joblib {parallel:.3f} s "
                  f"(whole process {whole:.3f} s); answers equal")
        median = statistics.median
        print(f"median: talweg {median(ours):.3f} s, joblib {median(section):.3f} s "
              f"(whole process {median(process):.3f} s)")
        ratio = median(section) / median(ours)
        print(f"talweg is {ratio:.1f} times as fast (whole processes: {median(process) / median(ours):.1f} times)")
        if ratio < 2:
            sys.exit("slower than promised: at most half of joblib's time")


if __name__ == "__main__":
    main()
