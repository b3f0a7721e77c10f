# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Tests of tools/setup.sh with stand-ins for apt-get and dpkg-query, and of `npm pack` in web/module.
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

PLAN = """The following NEW packages will be installed:
0 upgraded, %d newly installed, 0 to remove and 0 not upgraded.
Need to get 61.2 MB of archives.
After this operation, 240 MB of additional disk space will be used.
"""


class Setup(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp()
        self.bin = os.path.join(self.place, "bin")
        os.mkdir(self.bin)
        self.put("dpkg-query", "#!/bin/sh\nexit 0\n")
        self.put("sudo", '#!/bin/sh\nexec "$@"\n')

    def tearDown(self):
        shutil.rmtree(self.place)

    def put(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def apt(self, plan, failure):
        with open(os.path.join(self.place, "plan"), "w") as file:
            file.write(plan)
        self.put("apt-get", f"""#!/bin/sh
case "$*" in
  *--assume-no*) cat {self.place}/plan; exit 1 ;;
esac
{f'echo "{failure}"; exit 100' if failure else 'exit 0'}
""")

    def run_setup(self):
        env = dict(os.environ, PATH=self.bin + ":" + os.environ["PATH"])
        env.pop("TENDON_SETUP", None)
        return subprocess.run(["bash", "-c", f"top={self.place}; . {TOP}/tools/setup.sh; need_packages nodejs npm"], env=env,
                              capture_output=True, text=True)

    def test_size_is_announced(self):
        self.apt(PLAN % 372, None)
        result = self.run_setup()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "Installing nodejs npm: 372 Debian packages, 61.2 MB to download, 240 MB on disk, "
                                        "three to five minutes.\n")

    def test_small_installations_take_less(self):
        self.apt(PLAN % 3, None)
        self.assertIn("3 Debian packages", self.run_setup().stderr)
        self.assertIn("less than a minute", self.run_setup().stderr)

    def test_without_lists_only_names(self):
        self.apt("", None)
        self.assertEqual(self.run_setup().stderr, "Installing nodejs npm\n")

    def test_no_network_is_one_line(self):
        self.apt("", "Err:1 http://deb.example bookworm InRelease\n  Temporary failure resolving 'deb.example'")
        result = self.run_setup()
        self.assertEqual(result.returncode, 3)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 2, result.stderr)
        self.assertTrue(lines[1].startswith("No network: cannot install nodejs npm."), lines)

    def test_other_failures_show_the_log(self):
        self.apt("", "E: Unable to locate package nodejs")
        result = self.run_setup()
        self.assertEqual(result.returncode, 3)
        self.assertIn("Unable to locate package", result.stderr)
        self.assertNotIn("No network", result.stderr)


class Pack(unittest.TestCase):
    def test_pack_without_modules_is_refused(self):
        if shutil.which("npm") is None:
            self.skipTest("no npm")
        with tempfile.TemporaryDirectory() as place:
            package = os.path.join(place, "package")
            shutil.copytree(os.path.join(TOP, "web", "module"), package)
            result = subprocess.run(["npm", "pack"], cwd=package, capture_output=True, text=True)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("tendon.wasm is missing here", result.stdout + result.stderr)
            for name in ("tendon.wasm", "tendon_scalar.wasm", "cli.wasm"):
                with open(os.path.join(package, name), "wb") as file:
                    file.write(b"\0asm")
            result = subprocess.run(["npm", "pack"], cwd=package, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
