# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Tests of test/cli/run_case with stand-ins for `script`: cases that need a terminal are skipped where there is none, others run.
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def run_case(command, script):
    """Runs a case whose output has to be "fine", with a program `script`; returns the exit code and the output."""
    with tempfile.TemporaryDirectory() as place:
        for name, text in (("cmd", command), ("stdout", "fine\n")):
            with open(os.path.join(place, name), "w") as file:
                file.write(text)
        program = os.path.join(place, "script")
        with open(program, "w") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(program, 0o755)
        run = subprocess.run([os.path.join(TOP, "test", "cli", "run_case"), program, place], capture_output=True, text=True,
                             env={**os.environ, "PATH": f"{place}:{os.environ['PATH']}"})
        return run.returncode, run.stdout


class Terminals(unittest.TestCase):
    def test_without_terminals_such_cases_are_skipped(self):
        code, output = run_case("script -qec true /dev/null\necho fine\n", "exit 1")
        self.assertEqual(code, 77)
        self.assertRegex(output, "^skipped: .*pseudo-terminal")

    def test_without_terminals_other_cases_run(self):
        self.assertEqual(run_case("echo fine\n", "exit 1")[0], 0)

    def test_with_terminals_such_cases_run(self):
        self.assertEqual(run_case("script -qec true /dev/null\necho fine\n", "exit 0")[0], 0)
        self.assertEqual(run_case("script -qec true /dev/null\necho wrong\n", "exit 0")[0], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
