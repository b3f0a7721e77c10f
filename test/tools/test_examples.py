#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# The generators of the examples write the files of the repository, byte for byte.
import filecmp
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Generators(unittest.TestCase):
    def test_bytes(self):
        with tempfile.TemporaryDirectory() as work:
            made = os.path.join(work, "examples")
            other = os.path.join(work, "test", "data", "humanoid")
            os.makedirs(made)
            os.makedirs(other)
            for name in ("make_examples.py", "make_avatars.py", "make_character.py"):
                subprocess.run([sys.executable, os.path.join(TOP, "tools", name), made], check=True)
            pairs = [(os.path.join(made, name), os.path.join(TOP, "examples", name)) for name in sorted(os.listdir(made))]
            pairs += [(os.path.join(other, name), os.path.join(TOP, "test", "data", "humanoid", name)) for name in os.listdir(other)]
            self.assertGreaterEqual(len(pairs), 20)
            for new, kept in pairs:
                self.assertTrue(filecmp.cmp(new, kept, shallow=False), os.path.basename(kept))


if __name__ == "__main__":
    unittest.main()
