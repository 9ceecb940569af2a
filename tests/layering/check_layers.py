#!/usr/bin/env python3
"""Holds the layer graph that ARCHITECTURE.md draws.

    check_layers.py ROOT       checks a source tree, prints every violation
    check_layers.py ROOT --self-test
                               plants bad includes and calls in a scratch tree
                               and fails when one of them goes unnoticed

Read from ARCHITECTURE.md, so that the graph is drawn once:
  * the table "Layers": folder, include prefix, what lives there, may include.
    What a layer may include, it may reach through: the relation is transitive.
  * the table "Only here": libraries and system calls, and the places they are
    confined to.

Checked are the #includes and calls of every .h and .cc under core, server and
client, and the targets named in the layers' CMakeLists.txt.
"""

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP_FOLDERS = ("core", "server", "client")

# What the rows of the table "Only here" are recognised by. `include` is
# matched against the text between the quotes or brackets of an #include,
# `code` against the source without comments and string literals.
CONFINED = {
    "xtensor": dict(include=r"^(xtensor|xtl|xsimd)/", code=None, target=r"\bxtensor\b"),
    "gRPC": dict(include=r"^(grpcpp|grpc|grpc\+\+)/|\.grpc\.pb\.h$", code=None,
                 target=r"\bgRPC::|\bprotos_grpc\b"),
    "GDAL": dict(include=r"^(gdal|ogr|cpl)[a-z_]*\.h$", code=None, target=r"\bGDAL::"),
    "shared memory": dict(
        include=None, target=None,
        code=r"(?<![\w.>])(memfd_create|shm_open|shm_unlink|shmget|shmat)\s*\(|\bMAP_SHARED\w*|\bF_ADD_SEALS\b"),
    "processes": dict(
        include=r"^(spawn\.h|sys/wait\.h)$", target=None,
        code=r"(?<![\w.>])(fork|vfork|posix_spawnp?|exec(?:l|lp|le|v|vp|ve|vpe)|fexecve|kill|killpg|"
             r"waitid|waitpid|wait4|pidfd_open|pidfd_send_signal|popen|system)\s*\("
             r"|\bSYS_(pidfd_open|pidfd_send_signal|clone3?|fork|execveat)\b"),
}


@dataclass
class Layer:
    folder: str
    prefix: str
    may_include: list


def table(markdown, heading):
    """Rows of the first table under a heading, as lists of cells without backticks."""
    lines = markdown.splitlines()
    try:
        start = next(i for i, line in enumerate(lines)
                     if re.fullmatch(r"#+ " + re.escape(heading), line.strip()))
    except StopIteration:
        sys.exit(f"ARCHITECTURE.md has no heading {heading!r}")
    rows = []
    for line in lines[start + 1:]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    return rows[2:]  # without the header and the rule under it


def ticked(cell):
    return re.findall(r"`([^`]+)`", cell)


class Architecture:
    def __init__(self, markdown):
        self.layers = {}
        for folder, prefix, _, may_include in table(markdown, "Layers"):
            name = ticked(folder)[0]
            self.layers[name] = Layer(name, ticked(prefix)[0], ticked(may_include))
        for layer in self.layers.values():
            for lower in layer.may_include:
                if lower not in self.layers:
                    sys.exit(f"ARCHITECTURE.md: {layer.folder} may include {lower}, which is no layer")
        self.reach = {name: self._reach(name, ()) for name in self.layers}
        self.places = {row[0]: ticked(row[1]) for row in table(markdown, "Only here")}
        if set(self.places) != set(CONFINED):
            sys.exit(f"ARCHITECTURE.md confines {sorted(self.places)}, this script knows {sorted(CONFINED)}")

    def _reach(self, name, way):
        if name in way:
            sys.exit("ARCHITECTURE.md draws a cycle: " + " -> ".join((*way, name)))
        reach = {name}
        for lower in self.layers[name].may_include:
            reach |= self._reach(lower, (*way, name))
        return reach

    def layer_of_file(self, path):
        return next((name for name in self.layers if path.startswith(name + "/")), None)

    def layer_of_include(self, include):
        """The layer whose prefix is the longest that fits; None for none of ours."""
        fitting = [l for l in self.layers.values() if any(include.startswith(p) for p in l.prefix.split(", "))]
        return max(fitting, key=lambda l: len(l.prefix)).folder if fitting else None


def without_comments(text):
    """Comments become spaces, line for line; string literals are kept."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0],
                  text, flags=re.DOTALL)


def without_literals(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def check_source(architecture, path, text):
    """Violations of one .h or .cc file; path is relative to the root."""
    layer = architecture.layer_of_file(path)
    if layer is None:
        yield f"{path}: in no folder of the table \"Layers\""
        return
    code = without_comments(text)
    includes = [(m[1], code.count("\n", 0, m.start()) + 1)
                for m in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', code, re.MULTILINE)]
    for include, line in includes:
        if include.startswith("talweg/"):
            target = architecture.layer_of_include(include)
            if target is None:
                yield f"{path}:{line}: includes {include}, which belongs to no layer"
            elif target not in architecture.reach[layer]:
                yield f"{path}:{line}: {layer} may not include {target} ({include})"
        elif re.match(r"(\.\./|core/|server/|client/)", include):
            yield f"{path}:{line}: includes {include} past the include roots"
    code = without_literals(code)
    for name, rule in CONFINED.items():
        if any(path == place or path.startswith(place + "/") for place in architecture.places[name]):
            continue
        for include, line in includes:
            if rule["include"] and re.search(rule["include"], include):
                yield f"{path}:{line}: {name} does not belong here (includes {include})"
        for match in re.finditer(rule["code"], code) if rule["code"] else ():
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {name} does not belong here ({match[0].rstrip('( ')})"


def check_cmake(architecture, path, text):
    """Violations of the CMakeLists.txt of a layer: targets it may not link."""
    layer = architecture.layer_of_file(path)
    if layer is None:
        return
    targets = {folder.split("/")[-1]: folder for folder in architecture.layers}
    targets |= {"client": "client/lib", "protos_grpc": "protos"}
    text = re.sub(r"#[^\n]*", "", text)
    for match in re.finditer(r"\btalweg::(\w+)", text):
        line = text.count("\n", 0, match.start()) + 1
        target = targets.get(match[1])
        if target is None:
            yield f"{path}:{line}: talweg::{match[1]} is no layer"
        elif target not in architecture.reach[layer]:
            yield f"{path}:{line}: {layer} may not link {target} (talweg::{match[1]})"
    for name, rule in CONFINED.items():
        folders = [place if place.count("/") <= 1 else "/".join(place.split("/")[:2])
                   for place in architecture.places[name]]
        if layer in folders or not rule["target"]:
            continue
        for match in re.finditer(rule["target"], text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {name} does not belong here ({match[0]})"


def check_tree(root):
    """All violations of a tree, and how many files were read."""
    architecture = Architecture((root / "ARCHITECTURE.md").read_text())
    violations, count = [], 0
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*")):
            relative = path.relative_to(root).as_posix()
            if path.suffix in (".h", ".cc"):
                check = check_source
            elif path.name == "CMakeLists.txt":
                check = check_cmake
            else:
                continue
            count += 1
            violations += check(architecture, relative, path.read_text())
    return violations, count


# One planted file each: where, what, and a part of the expected complaint;
# None: it is allowed.
PLANTS = [
    ("core/base/src/a.cc", '#include "talweg/grid/shape.h"', "core/base may not include core/grid"),
    ("core/grid/include/talweg/grid/a.h", '#include "talweg/cost/friction.h"', "core/grid may not include core/cost"),
    ("core/cost/src/a.cc", '#  include <talweg/search/kernel.h>', "core/cost may not include core/search"),
    ("core/query/src/a.cc", '#include "talweg/store/store.h"', "core/query may not include server/store"),
    ("core/query/src/a.cc", '#include "talweg/v1/path.pb.h"', "core/query may not include protos"),
    ("server/store/src/a.cc", '#include "talweg/query/route.h"', "server/store may not include core/query"),
    ("server/workers/src/a.cc", '#include "talweg/service/limits.h"', "server/workers may not include server/service"),
    ("server/service/src/a.cc", '#include "talweg/app/config.h"', "server/service may not include server/app"),
    ("client/lib/src/a.cc", '#include "talweg/store/store.h"', "client/lib may not include server/store"),
    ("client/lib/src/a.cc", '#include "talweg/formats/raster.h"', "client/lib may not include client/formats"),
    ("core/base/src/a.cc", '#include "talweg/misc/a.h"', "belongs to no layer"),
    ("core/base/src/a.cc", '#include "../../grid/src/a.h"', "past the include roots"),
    ("core/util/src/a.cc", "", "in no folder"),
    ("core/search/src/a.cc", "#include <xtensor/xtensor.hpp>", "xtensor does not belong here"),
    ("core/grid/src/a.cc", "#include <xtensor/xadapt.hpp>", "xtensor does not belong here"),
    ("server/workers/src/a.cc", "#include <grpcpp/grpcpp.h>", "gRPC does not belong here"),
    ("client/cli/src/a.cc", '#include "talweg/v1/path.grpc.pb.h"', "gRPC does not belong here"),
    ("server/service/src/a.cc", "#include <gdal_priv.h>", "GDAL does not belong here"),
    ("client/cli/src/a.cc", '#include "ogrsf_frmts.h"', "GDAL does not belong here"),
    ("server/workers/src/a.cc", "int f() { return memfd_create(\"x\", 0); }", "shared memory does not belong here"),
    ("core/search/src/a.cc", "auto p = ::mmap(0, n, PROT_READ, MAP_SHARED, fd, 0);", "shared memory does not belong here"),
    ("server/service/src/a.cc", "int f() { return ::kill(pid, 9); }", "processes does not belong here"),
    ("client/formats/src/a.cc", "int f() { return fork (); }", "processes does not belong here"),
    ("core/cost/CMakeLists.txt", "talweg_layer(cost SOURCES a.cc DEPENDS talweg::search)", "core/cost may not link core/search"),
    ("server/workers/CMakeLists.txt", "talweg_layer(workers DEPENDS gRPC::grpc++)", "gRPC does not belong here"),
    ("core/query/src/a.cc", '#include "talweg/base/errors.h"', None),
    ("core/base/src/a.cc", '// #include "talweg/grid/shape.h"\n/* #include <gdal.h> */', None),
    ("core/base/src/a.cc", 'const char* kText = "fork() and memfd_create()";  // kill(pid)', None),
    ("core/base/src/a.cc", "void f() { worker.kill(); pool->fork(); my_kill(1); }", None),
    ("core/search/src/a.cc", "auto p = mmap(0, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);", None),
    ("core/grid/include/talweg/grid/raster.h", "#include <xtensor/xtensor.hpp>", None),
    ("server/store/src/a.cc", "int f() { return memfd_create(\"x\", 0); }", None),
    ("server/workers/src/a.cc", '#include <spawn.h>\n#include "talweg/worker/v1/worker.pb.h"', None),
]


def self_test(root):
    markdown = (root / "ARCHITECTURE.md").read_text()
    failures = 0
    for path, text, expected in PLANTS:
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            (scratch / "ARCHITECTURE.md").write_text(markdown)
            planted = scratch / path
            planted.parent.mkdir(parents=True)
            planted.write_text(text + "\n")
            violations, _ = check_tree(scratch)
        good = (not violations) if expected is None else (len(violations) >= 1 and expected in violations[0])
        if not good:
            failures += 1
            print(f"planted {path}: {text!r}\n  expected {expected!r}\n  got      {violations}")
    print(f"layering self-test: {len(PLANTS)} planted files, {failures} judged wrongly")
    return failures == 0


def main(arguments):
    root = Path(arguments[0]).resolve()
    if arguments[1:] == ["--self-test"]:
        return 0 if self_test(root) else 1
    violations, count = check_tree(root)
    for violation in violations:
        print(violation)
    print(f"layering: {count} files, {len(violations)} violations")
    if count == 0:
        print("nothing was read: is this the project's root?")
    return 1 if violations or count == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
