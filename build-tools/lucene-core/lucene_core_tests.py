# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Runs Lucene's core tests with this project's codec, directory and searcher put under them.

Takes a Lucene source checkout, compiles its core tests, or those of another of its modules, against
the Lucene that this project is compiled against, and runs them by seeds. A test that fails is run
once more on stock codec, directory and searcher: what fails there too is listed apart. Nothing is
written outside target/.
"""

import argparse
import atexit
import collections
import fcntl
import fnmatch
import os
import pathlib
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import lucene_core_build

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "lucene-core-tests"
RUNNER = "org.luceneoffload.lucene.CoreTestRunner"

# Classes that say nothing of this project, or cannot run here, each with its reason.
SKIPPED = {}

# Tests that no searcher but stock's own can pass, each with its reason.
CAST = "casts what a weight returns to a class that is private to Lucene's own"
COUNT = "wants a count to be unknown, which the device counts"
NAMES = "expects the names of classes that are private to Lucene's own scorers"
STOCK_ONLY = {
    "org.apache.lucene.search.TestBooleanQueryVisitSubscorers"
    ".testGetChildrenMinShouldMatchSumScorer": NAMES,
    "org.apache.lucene.search.TestBooleanScorer.testOptimizeProhibitedClauses": CAST,
    "org.apache.lucene.search.TestBooleanScorer.testOptimizeTopLevelClauseOrNull": CAST,
    "org.apache.lucene.search.TestBooleanScorer"
    ".testTopScoresWithMinShouldMatchFallsBackToWand": CAST,
    "org.apache.lucene.search.TestMinShouldMatch2.testNextCMR2": CAST,
    "org.apache.lucene.search.TestMinShouldMatch2.testAdvanceCMR2": CAST,
    "org.apache.lucene.search.TestMinShouldMatch2.testNextAllTerms": CAST,
    "org.apache.lucene.search.TestMinShouldMatch2.testAdvanceAllTerms": CAST,
    "org.apache.lucene.search.TestMinShouldMatch2.testNextVaryingNumberOfTerms": CAST,
    "org.apache.lucene.search.TestMinShouldMatch2.testAdvanceVaryingNumberOfTerms": CAST,
    "org.apache.lucene.search.TestDocValuesQueries"
    ".testSortedNumericDocValuesRangeQueryCount": COUNT,
    "org.apache.lucene.search.TestDocValuesQueries.testSortedSetDocValuesRangeQueryCount": COUNT,
    "org.apache.lucene.search.TestFieldExistsQuery.testDocValuesQueryMatchesCount": COUNT,
}

# What Maven is asked for, to get the jars of a module.
DEPENDENCY = (
    "<dependency><groupId>org.apache.lucene</groupId><artifactId>lucene-{}</artifactId>"
    "<version>{}</version></dependency>"
)
POM = (
    "<project><modelVersion>4.0.0</modelVersion><groupId>org.luceneoffload</groupId>"
    "<artifactId>lucene-module-tests</artifactId><version>1</version><packaging>pom</packaging>"
    "<dependencies>{}</dependencies></project>"
)

MONSTERS = "@Monster and @Nightly tests are skipped by Lucene itself unless asked for"


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="lucene_core_tests.sh", description=__doc__)
    add = parser.add_argument
    add("checkout", help="a Lucene source checkout, best of the release of the jars used")
    add("--module", default="core", help="the module whose tests run, such as join or facet")
    add("--classes", default="*", help="comma separated globs of class names")
    add("--method", help="glob of method names")
    add("--seeds", help="comma separated seeds (hexadecimal); default: a random one")
    add("--seed-count", type=int, default=1, help="number of random seeds")
    add(
        "--device",
        choices=["sim", "own", "none", "stock"],
        default="sim",
        help="sim: one simulated device for each class; own: one in each directory; none: our codec"
        " and searcher, but no device; stock: nothing of ours",
    )
    add("--codec", choices=["plain", "asserting"], default="plain", help="asserting: Lucene's"
        " AssertingCodec around our postings format, which hides it from the searcher")
    add("--similarity", choices=["lucene", "bm25", "mixed"], default="mixed")
    add("--wrap", choices=["true", "false", "mixed"], default="mixed",
        help="whether newSearcher wraps readers and searchers at random")
    add("--jvms", type=int, default=1, help="tests run in so many processes at once")
    add("--heap", default="1g", help="heap of each process")
    add("--timeout", type=int, default=900, help="seconds for one class")
    add("--tmp", default=str(TARGET), help="where to make a folder for what tests write")
    add("--define", "-D", action="append", default=[], help="system property, such as"
        " tests.nightly=true")
    add("--no-build", action="store_true", help="use what was built last time")
    add("--lucene-version", default="", help="version of the Lucene jars; default: the pom's")
    return parser.parse_args()


def maven(options, *words):
    """Runs Maven in the project."""
    version = [f"-Dlucene.version={options.lucene_version}"] if options.lucene_version else []
    subprocess.run(["mvn", "-q", "-B", *version, *words], cwd=ROOT, check=True)


def build(options):
    """Builds everything; returns the Build and the names of test classes."""
    jars = TARGET / "jars"
    listing = TARGET / f"{options.module}-classes.txt"
    built = options.no_build and listing.exists()
    module_build_file(options)
    if not built:
        build_ours(options, jars)
    version = next(jars.glob("lucene-test-framework-*.jar")).stem.rpartition("-")[2]
    more = TARGET / f"{options.module}-jars"
    if not built and options.module != "core":
        copy_module(options, version, jars, more)
    path = class_path(jars) + (class_path(more) if more.is_dir() else [])
    made = lucene_core_build.Build(os.environ["JAVA_HOME"], TARGET, path, options.module)
    if built:
        return made, listing.read_text().split()
    print("building Lucene's tests", flush=True)
    for name, _, _, why in lucene_core_build.DESIGN_EDITS if options.module == "core" else []:
        print(f"edited: {name}: {why}")
    made.build_framework(
        TARGET / "sources" / f"lucene-test-framework-{version}-sources.jar",
        TARGET / "sources" / f"lucene-core-{version}-sources.jar",
    )
    classes = made.build_tests(options.checkout)
    listing.write_text("\n".join(classes))
    for name, reason in sorted(made.left_out.items()):
        print(f"left out: {name}: {reason}")
    print(f"{len(classes)} test classes, {len(made.left_out)} sources left out", flush=True)
    return made, classes


def build_ours(options, jars):
    """Builds the project into `jars`, and gets the sources that are edited."""
    print("building the project", flush=True)
    maven(options, "-DskipTests", "-Dcorpus.skip=true", "-Dmdep.outputFile=target/class-path",
          "package", "dependency:build-classpath", "-pl", "src-test", "-am")
    copy_class_path(jars)
    version = next(jars.glob("lucene-test-framework-*.jar")).stem.rpartition("-")[2]
    for artifact in [
        f"org.apache.lucene:lucene-test-framework:{version}:jar:sources",
        f"org.apache.lucene:lucene-core:{version}:jar:sources",
    ]:
        maven(options, "dependency:copy", f"-Dartifact={artifact}", "-N",
              f"-DoutputDirectory={TARGET / 'sources'}")


def module_build_file(options):
    """The file that names what a module of the checkout needs; found before anything is built."""
    made_by = pathlib.Path(options.checkout) / "lucene" / options.module / "build.gradle"
    if not made_by.is_file():
        raise lucene_core_build.BuildError(f"{options.checkout} has no module {options.module}:"
                                           f" there is no {made_by}")
    return made_by


def copy_module(options, version, jars, target):
    """Copies the jars of a module of Lucene, and of those that it and its tests name."""
    made_by = module_build_file(options)
    named = re.findall(r"project\([\"']:lucene:([\w:-]+)[\"']\)", made_by.read_text())
    names = sorted({options.module, *named} - {"core", "test-framework", "spatial-test-fixtures"})
    dependencies = "".join(DEPENDENCY.format(n.replace(":", "-"), version) for n in names)
    pom = TARGET / f"{options.module}-pom.xml"
    pom.write_text(POM.format(dependencies))
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["mvn", "-q", "-B", "-f", pom, "dependency:copy-dependencies",
                    f"-DoutputDirectory={target}"], check=True)
    for jar in target.iterdir():
        if (jars / jar.name).exists():
            jar.unlink()


def copy_class_path(jars):
    """Copies what our tests need, so that a build beside a long run does not pull it away."""
    shutil.rmtree(jars, ignore_errors=True)
    jars.mkdir()
    target = ROOT / "src-test" / "target"
    shutil.copytree(target / "test-classes", jars / "tests")
    for entry in (target / "class-path").read_text().strip().split(":"):
        path = pathlib.Path(entry)
        if path.is_dir():
            shutil.copytree(path, jars / f"{path.parent.parent.name}-{path.name}")
        else:
            shutil.copyfile(path, jars / path.name)


def class_path(jars):
    """The copied class path."""
    return sorted(jars.iterdir())


def java(options, made, stock):
    """The command that runs Java, up to the main class."""
    device = "stock" if stock else "none" if options.device == "own" else options.device
    properties = [f"offload.core.device={device}"]
    properties += [f"offload.core.similarity={options.similarity}"]
    properties += [f"offload.core.wrap={options.wrap}"]
    properties += [f"tests.timeoutSuite={options.timeout * 1000}", "tests.asserts=true"]
    properties += [f"java.io.tmpdir={options.scratch}"]
    if stock:
        properties += ["tests.codec=default"]
    elif options.codec == "asserting":
        properties += ["tests.postingsformat=Offload104"]
    else:
        properties += ["tests.codec=Offload104"]
    if options.device == "own" and not stock:
        properties += ["tests.directory=org.luceneoffload.lucene.SimDirectory"]
    # Some tests start processes of their own.
    forks = pathlib.Path(options.scratch) / "fork-arguments"
    class_path = made.run_path(stock)
    forks.write_text(f"--add-modules={lucene_core_build.MODULES}\n-cp\n{class_path}\n")
    properties += [f"tests.jvmForkArgsFile={forks}"]
    return [
        f"{os.environ['JAVA_HOME']}/bin/java", "-ea", "-esa", f"-Xmx{options.heap}",
        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow",
        "-XX:+HeapDumpOnOutOfMemoryError", f"-XX:HeapDumpPath={TARGET}",
        "--add-modules", lucene_core_build.MODULES, "--enable-native-access=ALL-UNNAMED",
        *(f"-D{p}" for p in [*properties, *options.define]), "-cp", class_path, RUNNER,
    ]  # fmt: skip

DID_NOT_RUN = "did not run"


class Results:
    """What runs said."""

    def __init__(self):
        self.ended = {}  # (class, seed) -> tests, failures, skipped, milliseconds
        self.failed = []  # (class, seed, method, message)
        self.counters = collections.Counter()
        self.reasons = collections.Counter()

    def read(self, file):
        """Adds a file of results; returns the run that was begun last if it did not end."""
        begun = None
        for line in file.read_text(errors="replace").splitlines() if file.exists() else []:
            kind, name, seed, *rest = line.split("\t")
            if kind == "begin":
                begun = (name, seed)
            elif kind == "failed":
                self.failed.append((name, seed, rest[0], rest[1]))
            elif kind == "counter":
                self.counters[rest[0]] += int(rest[1])
            elif kind == "reason":
                self.reasons[rest[0]] += int(rest[1])
            elif kind == "end":
                self.ended[(name, seed)] = tuple(map(int, rest))
                begun = None
        return begun


def run_all(options, made, runs, stock, label):
    """Runs (class, seed, method or empty) triples in processes; returns Results."""
    results, lock = Results(), threading.Lock()
    queue = collections.deque(runs)

    def work(number):
        attempt = 0
        while True:
            with lock:
                # Few enough that processes end together, many enough that starting them is cheap.
                share = max(1, min(100, len(queue) // (2 * options.jvms)))
                chunk = [queue.popleft() for _ in range(min(share, len(queue)))]
            while chunk:
                attempt += 1
                stem = TARGET / f"{label}-{number}-{attempt}"
                dead = run_process(options, made, chunk, stock, stem, results, lock)
                if dead is None:
                    break
                chunk = chunk[[run[:2] for run in chunk].index(dead) + 1:]
            if not queue and not chunk or not queue:
                return

    threads = [threading.Thread(target=work, args=(n,)) for n in range(options.jvms)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A process that never started, or a thread of ours that broke, must not look like success.
    told = results.ended.keys() | {failure[:2] for failure in results.failed}
    for name, seed, _ in runs:
        if (name, seed) not in told:
            results.failed.append((name, seed, "(process)", DID_NOT_RUN))
    return results


def run_process(options, made, chunk, stock, stem, results, lock):
    """One process; returns the (class, seed) at which it died, or None."""
    todo, said, log = (pathlib.Path(f"{stem}{end}") for end in (".todo", ".tsv", ".log"))
    todo.write_text("".join(" ".join(w for w in run if w) + "\n" for run in chunk))
    said.unlink(missing_ok=True)
    with log.open("w") as out:
        process = subprocess.Popen(
            [*java(options, made, stock), str(todo), str(said)], stdout=out, stderr=out
        )
        changed, size, killed = time.time(), 0, False
        while process.poll() is None:
            time.sleep(0.2)
            now = said.stat().st_size if said.exists() else 0
            if now != size:
                changed, size = time.time(), now
            elif time.time() - changed > options.timeout + 120:
                process.kill()
                killed = True
    with lock:
        dead = results.read(said)
        if dead is None and process.returncode != 0 and not results.ended:
            sys.exit(f"the tests did not start, see {log}")
        if dead is not None:
            why = "killed: no progress" if killed else f"process ended: {process.returncode}"
            results.failed.append((*dead, "(process)", f"{why}, see {log}"))
        for name, seed, method, message in results.failed:
            if (name, seed) in [run[:2] for run in chunk]:
                print(f"FAILED {name} {method} seed {seed}: {message} (see {log})", flush=True)
    return dead


def replay(options, failure):
    """The command that runs a failed test again."""
    name, seed, method, _ = failure
    words = ["build-tools/lucene-core/lucene_core_tests.sh", options.checkout, "--no-build"]
    words += ["--module", options.module, "--classes", name]
    words += ["--seeds", seed, "--device", options.device, "--codec", options.codec]
    words += ["--similarity", options.similarity, "--wrap", options.wrap]
    if not method.startswith("("):
        words += ["--method", method.split(" {")[0] + "*"]
    for define in options.define:
        words += ["-D", define]
    return shlex.join(words)


def print_tables(results):
    """Prints what was run, by package, and what the device did."""
    packages = collections.defaultdict(lambda: [0] * 5)
    for (name, _), (tests, failures, skipped, millis) in results.ended.items():
        row = packages[name.rpartition(".")[0]]
        for i, value in enumerate((1, tests, failures, skipped, millis)):
            row[i] += value
    print(f"\n{'package':48} {'runs':>5} {'tests':>7} {'failed':>6} {'skipped':>7} {'seconds':>8}")
    for package, (runs, tests, failures, skipped, millis) in sorted(packages.items()):
        print(f"{package:48} {runs:5} {tests:7} {failures:6} {skipped:7} {millis / 1000:8.1f}")
    total = [sum(row[i] for row in packages.values()) for i in range(5)]
    print(f"{'total':48} {total[0]:5} {total[1]:7} {total[2]:6} {total[3]:7}"
          f" {total[4] / 1000:8.1f}")
    print(f"skipped: {MONSTERS}, as are tests whose assumptions do not hold")
    counters = results.counters
    leaves = [counters[f"LEAVES_{end}"] for end in ("OFFLOADED", "ON_HOST", "FALLEN_BACK")]
    if sum(leaves):
        share = 100 * leaves[0] / sum(leaves)
        print(f"\nsegments of queries: {leaves[0]} on the device ({share:.1f} %), {leaves[1]}"
              f" on the host, {leaves[2]} fallen back")
        for reason, count in results.reasons.most_common(20):
            print(f"  {count:9} {reason}")
    else:
        print("\nno segment of any query came near a device")


def claim():
    """Keeps other runs in this tree out until this one ends: they would share files."""
    TARGET.mkdir(parents=True, exist_ok=True)
    claimed = (TARGET / "claimed").open("w")
    try:
        fcntl.flock(claimed, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"another run is using {TARGET}")
    return claimed


def main():
    """Builds, runs, prints; exit status 1 if something fails on ours that does not on stock."""
    options = arguments()
    claimed = claim()
    atexit.register(claimed.close)
    try:
        made, classes = build(options)
    except (lucene_core_build.BuildError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot build: {error}")
    globs = options.classes.split(",")
    chosen = [c for c in classes if any(fnmatch.fnmatchcase(c, glob) for glob in globs)]
    for name in [c for c in chosen if c in SKIPPED]:
        print(f"skipped: {name}: {SKIPPED[name]}")
        chosen.remove(name)
    if not chosen:
        sys.exit(f"no test class is called {options.classes}")
    seeds = [s for s in (options.seeds or "").split(",") if s]
    seeds = seeds or [secrets.token_hex(8).upper() for _ in range(options.seed_count)]
    print(f"{len(chosen)} classes, seeds {','.join(seeds)}", flush=True)
    options.scratch = tempfile.mkdtemp(prefix="core-tests-", dir=options.tmp)
    atexit.register(shutil.rmtree, options.scratch, ignore_errors=True)
    runs = [(name, seed, options.method) for seed in seeds for name in chosen]
    stock = options.device == "stock"
    results = run_all(options, made, runs, stock, "run")
    print_tables(results)
    open_failures = results.failed
    if results.failed and not stock:
        again = sorted({(n, s, None if m.startswith("(") else m.split(" {")[0] + "*")
                        for n, s, m, _ in results.failed}, key=str)
        print(f"\nrunning {len(again)} failed ones on stock Lucene", flush=True)
        on_stock = run_all(options, made, again, True, "stock")
        known = {failure[:3] for failure in on_stock.failed if failure[3] != DID_NOT_RUN}
        open_failures = [f for f in results.failed if f[:3] not in known]
        for failure in results.failed:
            name = f"{failure[0]}.{failure[2]}"
            if failure[:3] in known:
                print(f"fails on stock as well: {name} seed {failure[1]}")
            elif name in STOCK_ONLY:
                print(f"for stock only: {name}: {STOCK_ONLY[name]}")
                open_failures.remove(failure)
    for failure in open_failures:
        print(f"\nFAILED {failure[0]} {failure[2]}: {failure[3]}\n  {replay(options, failure)}")
    print(f"\n{len(open_failures)} failures")
    sys.exit(1 if open_failures else 0)


if __name__ == "__main__":
    main()
