# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Tests of tools/list_unstarted with logs of CTest.
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools/list_unstarted"
ENTRY = '{0}/9 Test: {1}\nCommand: "wine"\nOutput:\n------\n{2}<end of output>\nTest time = 0.1 sec\n------\nTest Failed.\n\n'


class TestListUnstarted(unittest.TestCase):
    def run_tool(self, outputs):
        with tempfile.TemporaryDirectory() as folder:
            logs = Path(folder, "Testing/Temporary")
            logs.mkdir(parents=True)
            entries = [ENTRY.format(i, name, text) for i, (name, text) in enumerate(outputs.items())]
            (logs / "LastTest.log").write_text("Start\n" + "".join(entries), encoding="utf-8")
            (logs / "LastTestsFailed.log").write_text("".join(f"{i}:{name}\n" for i, name in enumerate(outputs)), encoding="utf-8")
            return subprocess.run([sys.executable, "-B", TOOL, folder], capture_output=True, text=True, check=False)

    def test_only_unstarted(self):
        result = self.run_tool({"windows:a/b": "", "windows:c/d": "\n"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("windows:a/b: was not started", result.stdout)

    def test_a_failure_is_not_repeated(self):
        result = self.run_tool({"windows:a/b": "", "windows:c/d": "1 passed, 1 failed\n"})
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("windows:c/d: ran and failed", result.stdout)


if __name__ == "__main__":
    unittest.main()
