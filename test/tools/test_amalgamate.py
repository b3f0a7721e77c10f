# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# tools/amalgamate refuses arguments that are no folder.
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "amalgamate"


class Arguments(unittest.TestCase):
    def test_options_are_no_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments in ([], ["--help"], ["-o"], ["a", "b"]):
                result = subprocess.run(
                    [sys.executable, "-B", str(TOOL), *arguments], capture_output=True, text=True, cwd=folder, check=False
                )
                self.assertEqual(result.returncode, 1, arguments)
                self.assertIn("usage: tools/amalgamate FOLDER", result.stderr)
                self.assertEqual(list(Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
