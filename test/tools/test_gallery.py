# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Tests of tools/make_gallery with a stand-in for the program: every example has a card, and every link leads to a file.
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

PROGRAM = """#!/bin/sh
for word; do [ "$previous" = -o ] && echo "$*" > "$word"; previous=$word; done
"""


class Gallery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        program, viewer = os.path.join(cls.place.name, "tendon"), os.path.join(cls.place.name, "viewer.html")
        with open(program, "w") as file:
            file.write(PROGRAM)
        os.chmod(program, 0o755)
        with open(viewer, "w") as file:
            file.write("<!--tendon:files-->")
        cls.folder = os.path.join(cls.place.name, "gallery")
        cls.result = subprocess.run([os.path.join(TOP, "tools", "make_gallery"), program, viewer, cls.folder],
                                    capture_output=True, text=True)
        with open(os.path.join(cls.folder, "index.html")) as file:
            cls.page = file.read()

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_it_prints_the_page(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertEqual(self.result.stdout.strip(), os.path.join(self.folder, "index.html"))

    def test_every_scene_has_a_card(self):
        for name in os.listdir(os.path.join(TOP, "examples")):
            if name.endswith((".gltf", ".vrm")) and name != "keepsake.gltf":
                self.assertIn(f'href="files/{name}"', self.page)

    def test_cards_show_scenes(self):
        """Tables of the examples also list motions, recordings and programs, which `tendon view` refuses."""
        shown = re.findall(r'class="links"><a href="[^"]+">Run it live</a> <a href="files/([^"]+)"', self.page)
        self.assertGreater(len(shown), 12)
        for name in shown:
            self.assertRegex(name, r"\.(gltf|glb|vrm)$")

    def test_every_link_leads_to_a_file(self):
        links = re.findall(r'(?:href|src|srcset)="([^"]+)"', self.page)
        self.assertGreater(len(links), 60)
        for link in links:
            self.assertTrue(os.path.isfile(os.path.join(self.folder, link.partition("#")[0])), link)

    def test_pictures_and_films_are_light_and_dark(self):
        pairs = re.findall(r'<source srcset="([^"]+)_dark.png" media="\(prefers-color-scheme: dark\)"><img src="([^"]+).png"', self.page)
        self.assertGreater(len(pairs), 12)
        for dark, light in pairs:
            self.assertEqual(dark, light)
            for name, background in ((light, "light"), (f"{dark}_dark", "dark")):
                for extension in ("png", "gif"):
                    with open(os.path.join(self.folder, f"{name}.{extension}")) as file:
                        self.assertIn(f"--background {background} ", file.read())

    def test_avatars_perform(self):
        with open(os.path.join(self.folder, "mira.html")) as file:
            self.assertIn("--motion examples/dance.vrma", file.read())

    def test_cards_have_a_sentence(self):
        cards = re.findall(r"<h2>([^<]+)</h2></a>\s*<p>([^<]+)</p>", self.page)
        self.assertGreater(len(cards), 12)
        for title, sentence in cards:
            self.assertRegex(sentence, r"^[A-Z].*\.$", title)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
