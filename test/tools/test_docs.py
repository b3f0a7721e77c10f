# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Tests that documents and tree agree: links, files, functions of the walks, and the sections and decisions that comments cite.
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("src", "include", "cli", "test", "bench", "fuzz", "web", "tools", "examples")
SKIPPED = ("node_modules", "fuzz/corpus", "test/data")  # not written by hand


def list_pages():
    pages = sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")) + sorted(ROOT.glob("*/README.md"))
    return [page for page in pages if page.is_file()]


def read(path):
    return path.read_text(encoding="utf-8")


def strip_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def list_sources():
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".inl", ".def", ".js", ".mjs", ".py", ".ts", "") and path.is_file():
                if not any(name in path.relative_to(ROOT).as_posix() for name in SKIPPED):
                    yield path


def get_anchors(text):
    """Anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", strip_code(text), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def list_sections(name):
    """Section numbers of a page of docs/spec, and of the numbered entries of its lists and tables ("9.21")."""
    sections, current = set(), None
    for line in read(ROOT / "docs/spec" / name).split("\n"):
        heading = re.match(r"#+ (\d+(?:\.\d+)?)[. ]", line)
        if heading:
            current = heading.group(1)
            sections.add(current)
            continue
        entry = re.match(r"(\d+)\. |\| (\d+) \|", line)
        if entry and current:
            sections.add(f"{current}.{entry.group(1) or entry.group(2)}")
    return sections


class Links(unittest.TestCase):
    def test_targets(self):
        for page in list_pages():
            for target in re.findall(r"\]\(([^)\s]+)\)", strip_code(read(page))):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                resolved = (page.parent / path).resolve() if path else page
                self.assertTrue(resolved.exists(), f"{page.relative_to(ROOT)}: {target}")
                if anchor and resolved.suffix == ".md":
                    self.assertIn(anchor, get_anchors(read(resolved)), f"{page.relative_to(ROOT)}: {target}")


class Commands(unittest.TestCase):
    def test_blocks(self):
        """Commands stand in blocks ```sh, which the case cli/docs_examples runs. Clusters have their own blocks, ```text."""
        for page in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")):
            block = None
            for number, line in enumerate(read(page).split("\n"), 1):
                if line.startswith("```"):
                    block = line[3:] if block is None else None
                elif re.match(r"(    )?(\./run|\./check|tendon|npx) [a-z]", line) and (block is not None or line[0] == " "):
                    self.assertEqual(block, "sh", f"{page.relative_to(ROOT)}:{number}: {line}")


class Walks(unittest.TestCase):
    """file.c: Function in architecture.md and CONTRIBUTING.md: the function is defined in that file."""

    def test_functions(self):
        count = 0
        for page in ("docs/architecture.md", "CONTRIBUTING.md"):
            for name, function in re.findall(r"([\w/]+\.(?:c|inl)): (\w+)", read(ROOT / page)):
                files = [p for folder in ("src", "include", "cli", "web") for p in (ROOT / folder).rglob(Path(name).name)
                         if p.as_posix().endswith("/" + name)]
                self.assertTrue(files, f"{page}: there is no {name}")
                defined = re.compile(rf"^\w[\w *]*\b{function}\(", flags=re.M)
                self.assertTrue(any(defined.search(read(p)) for p in files), f"{page}: {name} has no {function}")
                count += 1
        self.assertGreater(count, 40)

    def test_paths(self):
        """Every path in backticks that begins with a folder of the tree exists."""
        for page in list_pages():
            if page.name in ("tree.md", "CHANGELOG.md"):
                continue
            for path in re.findall(r"`((?:src|include|cli|test|bench|fuzz|tools|web|docs|cmake|examples)/[\w./-]+)`", read(page)):
                self.assertTrue((ROOT / path).exists(), f"{page.relative_to(ROOT)}: {path}")


class Citations(unittest.TestCase):
    def test_sections(self):
        sections = {name: list_sections(name) for name in ("physics.md", "vrm.md", "springbone.md", "expressions.md")}
        count = 0
        for path in list_sources():
            # A comment may break a line anywhere; its marks are not part of the text.
            text = re.sub(r"\n\s*(///?|#|\*)? *", " ", read(path))
            for name, numbers in re.findall(r"docs/spec/(\w+\.md) ((?:\d+(?:\.\d+)*(?:, | and )?)+)", text):
                for number in re.findall(r"\d+(?:\.\d+)*", numbers):
                    self.assertIn(number, sections[name], f"{path.relative_to(ROOT)}: {name} {number}")
                    count += 1
            self.assertIsNone(re.search(r"(?<![\w/])(?:physics|vrm|springbone|engine|style)\.md \d", text),
                              f"{path.relative_to(ROOT)}: cite docs/spec/...")
        self.assertGreater(count, 30)

    def test_decisions(self):
        """Decisions that comments name exist, and a comment names each."""
        records = {record.name[:3]: record.name for record in (ROOT / "docs/decisions").glob("[0-9]*.md")}
        cited = set()
        for path in list_sources():
            if path == Path(__file__).resolve():
                continue
            for number, name in re.findall(r"(?:[Dd]ecision |docs/decisions/)(\d{3})(-[\w-]+\.md)?", read(path)):
                self.assertIn(number, records, f"{path.relative_to(ROOT)}: decision {number}")
                self.assertIn(number + name, (number, records[number]), f"{path.relative_to(ROOT)}: {number}{name}")
                cited.add(number)
        self.assertEqual(sorted(set(records) - cited), [], "decisions that no source names")


class Decisions(unittest.TestCase):
    def test_form(self):
        index = read(ROOT / "docs/decisions/README.md")
        records = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
        self.assertGreater(len(records), 40)
        for record in records:
            text = read(record)
            self.assertRegex(text, rf"\A# {record.name[:3]}: \S", record.name)
            headings = re.findall(r"^## (.*)$", text, flags=re.M)
            self.assertEqual(headings, ["Context", "Decision", "Consequences", "Alternatives"], record.name)
            self.assertEqual(index.count(f"({record.name})"), 1, f"{record.name} has one line in the index")


class Glossary(unittest.TestCase):
    def test_order(self):
        terms = re.findall(r"^\| ([^|]+?) \|", read(ROOT / "docs/glossary.md"), flags=re.M)[1:]
        self.assertEqual(terms, sorted(terms))
        self.assertEqual(len(terms), len(set(terms)))


if __name__ == "__main__":
    unittest.main()
