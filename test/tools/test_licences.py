# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Tests of everything that is shipped with Tendon: the table of bundled packages in SECURITY.md, lock files with hashes,
# permissive licences, and licence files in the packages.
import json
import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
PERMITTED = {"MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Zlib"}
IMPORT = re.compile(r'\b(?:from|import) "([@a-z][\w@/.:-]*)"')


def read_lock(path):
    return json.loads((TOP / path).read_text(encoding="utf-8"))


def get_package(specifier):
    parts = specifier.split("/")
    return "/".join(parts[:2]) if specifier.startswith("@") else parts[0]


def find_bundled():
    """{name: lock entry} of the packages that the scripts of the page import, with all that those depend on."""
    packages = read_lock("web/package-lock.json")["packages"]
    queue = set()
    for source in (TOP / "web/viewer").glob("*.js"):
        queue |= {get_package(name) for name in IMPORT.findall(source.read_text(encoding="utf-8")) if not name.startswith("node:")}
    found = {}
    while queue:
        name = queue.pop()
        entry = packages[f"node_modules/{name}"]
        found[name] = entry
        queue |= {other for other in entry.get("dependencies", {}) if other not in found}
    return found


class TestLicences(unittest.TestCase):
    def test_lock_files(self):
        locks = [p.relative_to(TOP).as_posix() for p in TOP.glob("*/**/package-lock.json") if "node_modules" not in p.parts and p.relative_to(TOP).parts[0] != "build"]
        self.assertGreaterEqual(len(locks), 2)
        for path in locks:
            for name, entry in read_lock(path)["packages"].items():
                if name:
                    self.assertTrue(entry.get("integrity", "").startswith("sha512-"), f"{path}: {name} has no hash")
                    self.assertIn(entry.get("license"), PERMITTED, f"{path}: {name}")

    def test_exact_versions(self):
        for path in ("web/package.json", "bench/peers/package.json"):
            package = json.loads((TOP / path).read_text(encoding="utf-8"))
            for name, version in {**package.get("dependencies", {}), **package.get("devDependencies", {})}.items():
                self.assertRegex(version, r"^\d", f"{path}: {name} has a range of versions")

    def test_table_of_bundled_packages(self):
        text = (TOP / "SECURITY.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `([^`]+)` \| ([^ |]+) \| ([^ |]+) \|", text, re.MULTILINE)
        listed = {name: (version, licence) for name, version, licence in rows}
        bundled = {name: (entry["version"], entry["license"]) for name, entry in find_bundled().items()}
        for name in sorted(bundled):
            print(name, *bundled[name])
        self.assertIn("three", bundled)
        self.assertEqual(listed, bundled)

    def test_module_has_no_dependencies_and_a_licence(self):
        package = json.loads((TOP / "web/module/package.json").read_text(encoding="utf-8"))
        self.assertEqual(package["license"], "MIT")
        self.assertNotIn("dependencies", package)
        copied = re.search(r"cp web/module/\*\.js .*", (TOP / "tools/build_wasm").read_text(encoding="utf-8"))
        self.assertIn(" LICENSE ", copied.group(0))

    def test_page_shows_licences(self):
        build = (TOP / "web/viewer/build.mjs").read_text(encoding="utf-8")
        self.assertIn('"<!--tendon:licences-->": escapeHtml(gatherLicences(metafile))', build)
        self.assertIn("has no licence file", build)
        self.assertIn("<!--tendon:licences-->", (TOP / "web/viewer/index.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
