# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# tools/check_comments finds public functions without a comment of their own.
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_comments"


class CheckComments(unittest.TestCase):
    def run_on(self, text):
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder, "include/tendon/a.h")
            header.parent.mkdir(parents=True)
            header.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, "-B", str(TOOL), folder], capture_output=True, text=True, check=False)

    def expect(self, text, *missing):
        result = self.run_on(text)
        self.assertEqual(result.returncode, 1 if missing else 0, result.stdout + result.stderr)
        found = [line.split(": ")[1].split(" ")[0] for line in result.stdout.splitlines() if "above it" in line]
        self.assertEqual(found, list(missing))

    def test_own_comment(self):
        self.expect("/// Adds.\nTD_API int tdAdd(int a,\n                 int b);\n")

    def test_return_type_on_its_own_line(self):
        self.expect("/// Adds.\nTD_API const char*\ntdAdd(int a);\n")

    def test_shared_comment(self):
        self.expect("/// Both.\nTD_API int tdA(void);\nTD_API int tdB(void);\n", "tdB")

    def test_empty_line_between(self):
        self.expect("/// About the group.\n\nTD_API int tdA(void);\n", "tdA")

    def test_plain_comment(self):
        self.expect("// Not for readers of the interface.\nTD_API int tdA(void);\n", "tdA")

    def test_inline_function(self):
        self.expect("static inline int tdA(int x)\n{\n    return x;\n}\n", "tdA")

    def test_types_need_none(self):
        self.expect("typedef struct tdA\n{\n    int x;\n} tdA;\ntypedef void tdFcn(int x);\n")


if __name__ == "__main__":
    unittest.main()
