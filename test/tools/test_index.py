# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# tools/README.md lists every tool once and nothing else.
import re
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"


class Index(unittest.TestCase):
    def test_every_tool_is_listed(self):
        listed = re.findall(r"^\| \[([^\]]+)\]\(([^)]+)\)", (TOOLS / "README.md").read_text(encoding="utf-8"), re.M)
        self.assertEqual([name for name, target in listed if name != target], [])
        there = [p.name for p in TOOLS.iterdir() if p.is_file() and p.name not in ("README.md", "exports.txt")]
        self.assertEqual(sorted(name for name, _ in listed), sorted(there))


if __name__ == "__main__":
    unittest.main()
