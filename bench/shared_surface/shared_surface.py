#!/usr/bin/python3
"""One large surface, seen by every worker without a copy.

    bench/shared_surface/shared_surface.py [--bin FOLDER] [--size N] [--routes N]

Starts a talwegd with four workers, uploads one float64 surface of N x N cells
(default 10000: 800 MB) and shows, from /proc:

1. while four cost fields run at once: the inode of the segment that each worker
   maps; the workers' proportional set sizes (PSS) summed, against the surface
   plus the search state and result each of the four holds; and what of that sum
   is not private, against the surface alone;
2. after 1000 small route requests from four clients: the private memory of each
   worker, and the requests' rate.

Speaks gRPC by Debian's python3-grpcio with stubs generated into a temporary
folder. Ends with code 1 when a bound is broken, 77 when a package is absent.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path

try:
    import google.protobuf  # noqa: F401
    import grpc
    import numpy
except ImportError as missing:
    print(f"skipped: {missing} (scripts/install_deps.sh --with peers)")
    sys.exit(77)

import hashlib

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 4
PSS_SLACK = 1.05
PRIVATE_BOUND_BYTES = 64 << 20
CHUNK_BYTES = 1 << 20
# Search state per cell: a float64 label and a float64 friction, and 1/8 byte of
# tile bookkeeping; the pending entries of the frontier come on top.
STATE_BYTES_PER_CELL = 16.125
RESULT_BYTES_PER_CELL = 8


def generate_stubs(folder):
    protos = ROOT / "protos"
    names = [f"talweg/v1/{name}.proto" for name in ("recipe", "surface", "path", "server")]
    subprocess.run(["protoc", "-I", str(protos), f"--python_out={folder}",
                    f"--grpc_python_out={folder}",
                    "--plugin=protoc-gen-grpc_python=/usr/bin/grpc_python_plugin", *names],
                   check=True)
    sys.path.insert(0, str(folder))
    from talweg.v1 import path_pb2, path_pb2_grpc, surface_pb2, surface_pb2_grpc
    return path_pb2, path_pb2_grpc, surface_pb2, surface_pb2_grpc


class Server:
    def __init__(self, binary, folder):
        self.address = f"unix:{folder}/talweg.sock"
        read_end, write_end = os.pipe()
        self.process = subprocess.Popen(
            [binary, "--listen", self.address, "--workers", str(WORKERS),
             "--ready-fd", str(write_end)],
            pass_fds=[write_end], stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            if not ready.readline():
                raise RuntimeError("talwegd did not start")

    def workers(self):
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return sorted(int(pid) for child in children for pid in child.read_text().split())

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def upload(channel, pb, stubs, cells):
    service = stubs.SurfaceServiceStub(channel)
    description = pb.SurfaceDescription(value_type=pb.VALUE_TYPE_FLOAT64, rows=cells.shape[0],
                                        cols=cells.shape[1])
    started = service.StartUpload(pb.StartUploadRequest(surface_id="large",
                                                        description=description))
    data = memoryview(cells).cast("B")

    def chunks():
        for offset in range(0, len(data), CHUNK_BYTES):
            chunk = bytes(data[offset:offset + CHUNK_BYTES])
            yield pb.WriteUploadRequest(upload_id=started.upload_id, offset=offset, data=chunk,
                                        crc32=zlib.crc32(chunk))

    service.WriteUpload(chunks())
    return service.FinishUpload(pb.FinishUploadRequest(upload_id=started.upload_id,
                                                       sha256=hashlib.sha256(data).digest()))


def memory(pid):
    """Bytes by kind from smaps_rollup."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return {key: int(value) * 1024 for key, value in re.findall(r"^(\w+): +(\d+) kB", text, re.M)}


def segment_inodes(pid, size_bytes):
    """(inode, access) of the maps of at least the surface's size that are memfds."""
    found = set()
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        span, access, _, _, inode, *name = line.split(maxsplit=5)
        begin, end = (int(edge, 16) for edge in span.split("-"))
        if name and name[0].startswith("/memfd:") and end - begin >= size_bytes and "w" not in access:
            found.add((inode, access))
    return found


def mib(count):
    return f"{count / (1 << 20):.0f} MiB"


def show_fields(server, path_pb, path_stub, size, surface_bytes):
    """Four fields at once, cancelled once each has covered the surface a while."""
    running = []
    for i in range(WORKERS):
        request = path_pb.ComputeCostFieldRequest()
        request.recipe.surfaces.add(surface="surfaces/large")
        corner = request.sources.points.add()
        corner.cell.row, corner.cell.col = (i // 2) * (size - 1), (i % 2) * (size - 1)
        running.append(path_stub.ComputeCostField(request, timeout=600))
    # Progress of each call tells how far its search is.
    settled = [0] * WORKERS
    done = threading.Event()

    def follow(i):
        try:
            for answer in running[i]:
                if answer.HasField("progress"):
                    settled[i] = answer.progress.settled_cells
                elif answer.HasField("block"):
                    settled[i] = size * size
                    break
        except grpc.RpcError:
            pass

    threads = [threading.Thread(target=follow, args=(i,), daemon=True) for i in range(WORKERS)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 300
    while min(settled) < size * size // 4 and time.monotonic() < deadline and not done.is_set():
        time.sleep(0.05)
    inodes = {pid: segment_inodes(pid, surface_bytes) for pid in server.workers()}
    usage = {pid: memory(pid) for pid in server.workers()}
    for call in running:
        call.cancel()
    for thread in threads:
        thread.join(timeout=30)

    total_pss = sum(kinds["Pss"] for kinds in usage.values())
    state = WORKERS * size * size * (STATE_BYTES_PER_CELL + RESULT_BYTES_PER_CELL)
    allowed = PSS_SLACK * (surface_bytes + state)
    print(f"in mid-request ({min(settled):,} to {max(settled):,} cells settled per search):")
    for pid, kinds in usage.items():
        maps = ", ".join(f"inode {inode} {access}" for inode, access in inodes[pid])
        print(f"  worker {pid}: {maps}; PSS {mib(kinds['Pss'])}, "
              f"private {mib(kinds['Private_Dirty'] + kinds['Private_Clean'])}")
    print(f"  sum of PSS {mib(total_pss)}; surface {mib(surface_bytes)}, stated search state and "
          f"results at most {mib(state)}; bound {mib(allowed)}")
    shared = total_pss - sum(kinds["Private_Dirty"] + kinds["Private_Clean"]
                             for kinds in usage.values())
    print(f"  of it not private: {mib(shared)}, {shared / surface_bytes:.3f} times the surface")
    one_inode = len({tuple(sorted(maps)) for maps in inodes.values()}) == 1 and \
        all(len(maps) == 1 for maps in inodes.values())
    print(f"  one inode for all: {'yes' if one_inode else 'NO'}")
    return one_inode and total_pss <= allowed and shared <= PSS_SLACK * surface_bytes


def show_routes(server, path_pb, stub_of, size, routes):
    random = numpy.random.default_rng(7)
    starts = random.integers(20, size - 20, (routes, 2))
    shifts = random.integers(-15, 16, (routes, 2))

    def ask(job):
        worker, (start, shift) = job
        request = path_pb.FindRoutesRequest()
        request.recipe.surfaces.add(surface="surfaces/large")
        source = request.sources.points.add()
        source.cell.row, source.cell.col = int(start[0]), int(start[1])
        destination = request.destinations.points.add()
        destination.cell.row, destination.cell.col = (int(v) for v in start + shift)
        answers = list(stub_of(worker).FindRoutes(request, timeout=60))
        blocks = [answer.routes for answer in answers if answer.HasField("routes")]
        return blocks[0].outcome[0] == path_pb.OUTCOME_OK

    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as clients:
        ok = sum(clients.map(ask, ((i % WORKERS, pair)
                                   for i, pair in enumerate(zip(starts, shifts)))))
    seconds = time.perf_counter() - begin
    private = {pid: memory(pid) for pid in server.workers()}
    private = {pid: kinds["Private_Dirty"] + kinds["Private_Clean"] for pid, kinds in private.items()}
    print(f"{ok} of {routes} small routes ok in {seconds:.2f} s "
          f"({1000 * seconds / routes:.2f} ms each)")
    print("  private memory per worker: " + ", ".join(mib(count) for count in private.values()) +
          f"; bound {mib(PRIVATE_BOUND_BYTES)}")
    return ok == routes and max(private.values()) < PRIVATE_BOUND_BYTES


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=str(ROOT / "build/release/bin"))
    parser.add_argument("--size", type=int, default=10000, help="rows and columns")
    parser.add_argument("--routes", type=int, default=1000)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        path_pb, path_stubs, surface_pb, surface_stubs = generate_stubs(Path(folder))
        cells = numpy.random.default_rng(1).random((arguments.size, arguments.size))
        server = Server(f"{arguments.bin}/talwegd", folder)
        try:
            channels = [grpc.insecure_channel(server.address, [("grpc.use_local_subchannel_pool", 1)])
                        for _ in range(WORKERS)]
            begin = time.perf_counter()
            surface = upload(channels[0], surface_pb, surface_stubs, cells)
            print(f"uploaded {mib(surface.size_bytes)} in {time.perf_counter() - begin:.2f} s, "
                  f"revision {surface.revision}")
            del cells
            stubs = [path_stubs.PathServiceStub(channel) for channel in channels]
            # Routes first: what they leave is not what large searches left.
            good = show_routes(server, path_pb, lambda i: stubs[i], arguments.size,
                               arguments.routes)
            good &= show_fields(server, path_pb, stubs[0], arguments.size, surface.size_bytes)
        finally:
            server.stop()
    print("all bounds hold" if good else "A BOUND IS BROKEN")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
