# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Builds tests of a Lucene source checkout, with this project's things put under them.

Everything is written into one folder: copies of the framework classes that make directories,
searchers and similarities, edited to ask org.luceneoffload.lucene.CoreTestHooks; the tests, edited
to make OffloadIndexSearcher where they make IndexSearcher; and, for runs on stock Lucene, a class
of that name that is a plain IndexSearcher.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import zipfile

OURS = "org.luceneoffload.OffloadIndexSearcher"
HOOKS = "org.luceneoffload.lucene.CoreTestHooks"
MODULES = "jdk.incubator.vector,jdk.management"

STOCK_SEARCHER = """package org.luceneoffload;

import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.search.IndexSearcher;

/** A plain searcher. */
public class OffloadIndexSearcher extends IndexSearcher {
  public OffloadIndexSearcher(IndexReader reader) {
    super(reader);
  }

  public OffloadIndexSearcher(IndexReader reader, Executor executor) {
    super(reader, executor);
  }

  public OffloadIndexSearcher(IndexReaderContext context) {
    super(context);
  }

  public OffloadIndexSearcher(IndexReaderContext context, Executor executor) {
    super(context, executor);
  }
}
"""

# Every one of these has to be found, or the run would quietly test stock Lucene.
FRAMEWORK_EDITS = {
    "org/apache/lucene/tests/util/LuceneTestCase.java": [
        (
            r"(private static BaseDirectoryWrapper wrapDirectory\([^)]*\) \{)",
            rf"\1\n    directory = {HOOKS}.directory(directory);",
        ),
        (
            r"Directory impl = (newDirectoryImpl\(r, TEST_DIRECTORY\));",
            rf"Directory impl = {HOOKS}.directory(\1);",
        ),
        (
            r"(boolean wrapWithAssertions, Concurrency concurrency\) \{)",
            rf"\1\n    if (!{HOOKS}.wrap()) {{ maybeWrap = false; wrapWithAssertions = false; }}",
        ),
        (
            r"(ret\.setQueryCachingPolicy\(MAYBE_CACHE_POLICY\);)",
            rf"if ({HOOKS}.wrap()) \1",
        ),
        (
            r"(IndexSearcher\.setDefaultQueryCachingPolicy\(MAYBE_CACHE_POLICY\);)",
            rf"if ({HOOKS}.wrap()) \1",
        ),
    ],
    "org/apache/lucene/tests/util/TestRuleSetupAndRestoreClassEnv.java": [
        (
            r"similarity = (new AssertingSimilarity\(.*?\));\n",
            rf"similarity = {HOOKS}.similarity(\1);\n",
        ),
    ],
    "org/apache/lucene/tests/util/TestUtil.java": [
        (
            r"(Codec getDefaultCodec\(\) \{\s*return) ([^;]*);",
            rf"\1 {HOOKS}.codec(\2);",
        ),
        (
            r"(PostingsFormat getDefaultPostingsFormat\(\) \{\s*return) ([^;]*);",
            rf"\1 {HOOKS}.postingsFormat(\2);",
        ),
    ],
    "org/apache/lucene/tests/search/AssertingIndexSearcher.java": [],
}

# Lucene's main branch says some things otherwise than its releases 10.x.
CHAIN = r"(\w+(?:\(\))?(?:\s*\.\s*\w+(?:\(\))?)*?)"
API_EDITS = [
    (r"\bVersion\.LUCENE_11_0_0\b", "Version.LATEST"),
    (r"\b(?:LuceneTestCase\.)?nonAssertingRandom\(random\(\)\)", "random()"),
    (r"\bLuceneTestCase\.nonAssertingRandom\(", "("),
    (
        rf"{CHAIN}\s*\.getCodec\(\)\s*\.compoundFormat\(\)"
        r"\s*\.setShouldUseCompoundFile\((true|false|\w+|random\(\)\.nextBoolean\(\))\);",
        r"\1.getMergePolicy().setNoCFSRatio((\2) ? 1.0 : 0.0); \1.setUseCompoundFile(\2);",
    ),
    (
        rf"{CHAIN}\s*\.getCodec\(\)\s*\.compoundFormat\(\)\s*\.setMaxCFSSegmentSizeMB\(",
        r"\1.getMergePolicy().setMaxCFSSegmentSizeMB(",
    ),
]


# Where a test asks for what this project decided otherwise: (source, pattern, replacement, why).
IMAGES = "damages every file but posting images: they are derived data, the host answers without"
HASHES = "and but term hashes: their damage is found by a check of the index, not when it opens"
DESIGN_EDITS = [
    (
        f"org/apache/lucene/index/TestAllFiles{name}.java",
        r"(for \(String (\w+) : dir\.listAll\(\)\) \{\s*if \()(?=\2\.equals\(IndexWriter\.WRITE)",
        rf'\1!\2.matches(".*[.]od[{derived}]") && ',
        why,
    )
    for name, derived, why in (
        ("CheckIndexHeader", "pch", f"{IMAGES}; {HASHES}"),
        ("DetectMismatchedChecksum", "pc", IMAGES),
        ("DetectTruncation", "pc", IMAGES),
    )
] + [
    (
        "org/apache/lucene/index/TestSwappedIndexFiles.java",
        r"if \((name\.equals\(IndexWriter\.WRITE_LOCK_NAME\))\)",
        r'if (\1 || name.matches(".*[.]od[pc]"))',
        IMAGES,
    ),
    (
        "org/apache/lucene/index/TestIndexWriterExceptions.java",
        r"(List<String> victims = new ArrayList<>\(si\.info\.files\(\)\);)",
        r'\1 victims.removeIf(name -> name.matches(".*[.]od[pc]"));',
        "deletes any file but posting images: they are derived data, the host answers without",
    ),
]


class BuildError(Exception):
    """Why the tests cannot be built."""


def with_our_searcher(text):
    """A Java source that makes and extends our searcher."""
    text = re.sub(r"\bnew IndexSearcher\(", f"new {OURS}(", text)
    text = re.sub(r"\bIndexSearcher::new\b", f"{OURS}::new", text)
    return re.sub(r"\bextends IndexSearcher\b", f"extends {OURS}", text)


class Build:
    """What is built, in `folder`; `class_path` lists jars and folders of Lucene and of ours.

    `module` is the part of Lucene whose tests are meant: core, join, ...
    """

    def __init__(self, jdk, folder, class_path, module):
        self.javac = str(pathlib.Path(jdk) / "bin" / "javac")
        self.folder = pathlib.Path(folder)
        self.class_path = class_path
        self.module = module
        self.framework = self.folder / "framework"
        self.stock = self.folder / "stock"
        self.tests = self.folder / f"{module}-tests"
        self.left_out = {}

    def run_path(self, stock):
        """Class path of a run: on stock Lucene, or on ours."""
        first = [self.stock] if stock else []
        return ":".join(map(str, [*first, self.framework, self.tests, *self.class_path]))

    def compile(self, sources, target, class_path):
        """Runs the compiler; returns {source: [(line, error)]}."""
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        arguments = self.folder / "javac.args"
        arguments.write_text("\n".join(f'"{source}"' for source in sources))
        result = subprocess.run(
            [self.javac, "-J-Xmx1500m", "-nowarn", "-proc:none", "-Xmaxerrs", "100000"]
            + ["-XDshould-stop.ifError=FLOW", "-encoding", "UTF-8", "--add-modules", MODULES]
            + ["-d", str(target), "-cp", ":".join(map(str, class_path)), f"@{arguments}"],
            capture_output=True,
            text=True,
        )
        if result.returncode == 0:
            return {}
        errors = {}
        for file, line, message in re.findall(
            r"^(/.+?\.java):(\d+): error: (.*)", result.stderr, re.M
        ):
            errors.setdefault(pathlib.Path(file), []).append((int(line), message))
        if not errors:
            raise BuildError(f"javac failed: {result.stderr[-2000:]}")
        return errors

    def build_framework(self, framework_jar, core_jar):
        """Edits and compiles framework classes; both arguments are jars of sources."""
        source = self.folder / "framework-src"
        shutil.rmtree(source, ignore_errors=True)
        files = []
        missing = dict(FRAMEWORK_EDITS)
        with zipfile.ZipFile(framework_jar) as jar:
            names = [n for n in jar.namelist() if n.endswith(".java")]
            for name in names:
                text = jar.read(name).decode()
                edited = with_our_searcher(text)
                for pattern, new in missing.pop(name, []):
                    edited, found = re.subn(pattern, new, edited, flags=re.S)
                    if not found:
                        raise BuildError(f"{framework_jar}: {name} has nothing like {pattern}")
                if edited != text:
                    files.append(write(source / name, edited))
        if missing:
            raise BuildError(f"{framework_jar}: without {', '.join(missing)}")
        factory = "org/apache/lucene/search/SearcherFactory.java"
        with zipfile.ZipFile(core_jar) as jar:
            files.append(write(source / factory, with_our_searcher(jar.read(factory).decode())))
        errors = self.compile(files, self.framework, self.class_path)
        if errors:
            raise BuildError(f"the edited framework does not compile: {errors}")
        stock = write(self.folder / "stock-src" / "OffloadIndexSearcher.java", STOCK_SEARCHER)
        if self.compile([stock], self.stock, self.class_path):
            raise BuildError("the stock searcher does not compile")

    def build_tests(self, checkout):
        """Edits and compiles the tests; those that do not compile are left out, with reason."""
        origin = pathlib.Path(checkout) / "lucene" / self.module / "src" / "test"
        if not origin.is_dir():
            raise BuildError(f"{checkout} is no checkout of Lucene: it has no {origin}")
        source = self.folder / f"{self.module}-tests-src"
        texts, resources = {}, []
        for path in sorted(p for p in origin.rglob("*") if p.is_file()):
            copy = source / path.relative_to(origin)
            if path.suffix != ".java":
                resources.append(path)
            elif path.name != "module-info.java":
                text = path.read_text(encoding="utf-8")
                for pattern, new in API_EDITS:
                    text = re.sub(pattern, new, text)
                for name, pattern, new, _ in DESIGN_EDITS:
                    if name == str(path.relative_to(origin)):
                        text = re.sub(pattern, new, text)
                texts[copy] = with_our_searcher(text)
        # What is compiled here does not depend on what of ours may have changed since.
        made_of = [str(p.name) for p in self.class_path] + list(map(str, texts.items()))
        stamp = hashlib.sha256("".join(made_of).encode()).hexdigest()
        known = self.folder / f"{self.module}-tests.json"
        if known.exists():
            kept = json.loads(known.read_text())
            if kept["stamp"] == stamp and self.tests.is_dir():
                self.left_out = kept["left_out"]
                return kept["classes"]
            known.unlink()
        shutil.rmtree(source, ignore_errors=True)
        files = {write(copy, text): None for copy, text in texts.items()}
        while True:
            errors = self.compile(files, self.tests, [self.framework, *self.class_path])
            for file, faults in errors.items():
                if file not in files:
                    raise BuildError(f"{file}: {faults[0][1]}")
                name = class_name(file, source)
                methods = without_methods(file, [line for line, _ in faults])
                if methods:
                    for method in methods:
                        self.left_out[f"{name}.{method}"] = f"does not compile: {faults[0][1]}"
                else:
                    del files[file]
                    self.left_out[name] = f"does not compile: {faults[0][1]}"
            if not errors:
                break
        for path in resources:
            copy = self.tests / path.relative_to(origin)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        classes = sorted(
            class_name(file, source)
            for file in files
            if re.match(r"Test\w+\.java|\w+Test\.java", file.name) and is_test(file)
        )
        kept = {"stamp": stamp, "left_out": self.left_out, "classes": classes}
        known.write_text(json.dumps(kept))
        return classes


def without_methods(file, numbers):
    """Takes the test methods around some lines out of a source and returns their names.

    Nothing is changed, and nothing returned, if a line is in something else. Goes by the
    indentation, which is that of Lucene's formatter.
    """
    lines = file.read_text(encoding="utf-8").split("\n")
    methods = {}
    for number in numbers:
        first = last = number - 1
        while first > 0 and not re.match(r"  \S", lines[first]):
            first -= 1
        header = re.match(r"  public void (test\w+)\(\)", lines[first])
        if not header:
            return []
        while not lines[last].startswith("  }"):
            last += 1
        while lines[first - 1].startswith("  @"):
            first -= 1
        methods[header.group(1)] = (first, last)
    for first, last in methods.values():
        for i in range(first, last + 1):
            lines[i] = ""
    file.write_text("\n".join(lines), encoding="utf-8")
    return sorted(methods)


def write(path, text):
    """Writes a file, with its folders, and returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def class_name(file, root):
    """Name of the class of a source."""
    return ".".join(file.relative_to(root).with_suffix("").parts)


def is_test(file):
    """Whether a source is a class that JUnit can run: not abstract, and with a superclass."""
    text = file.read_text(encoding="utf-8")
    declared = re.search(rf"public (abstract )?(?:final )?class {file.stem}\b[^{{]*", text)
    return bool(declared) and not declared.group(1) and "extends" in declared.group(0)
