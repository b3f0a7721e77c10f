# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Each rule of tools/check_layers fires on a small tree that breaks it, and on no other.
import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_layers"
sys.dont_write_bytecode = True


def load_tool():
    loader = importlib.machinery.SourceFileLoader("check_layers", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_layers", loader))
    loader.exec_module(module)
    return module


SPDX = "// SPDX-FileCopyrightText: Tendon contributors\n// SPDX-License-Identifier: MIT\n"


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        for module in load_tool().TABLE:
            self.write(f"src/{module}/file_of_{module.replace('/', '_')}.c", "")
        self.write("include/tendon/physics.h", "")
        self.write("include/tendon/asset.h", "")
        page = self.root / "docs/architecture.md"
        page.parent.mkdir()
        page.write_text(f"# Page\n\n{load_tool().TABLE_BEGIN}\n{load_tool().TABLE_END}\n\nMore.\n", encoding="utf-8")
        self.run_tool("--update")

    def write(self, path, text, head=SPDX):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(head + text, encoding="utf-8")

    def test_systems(self):
        self.write("src/base/platform_posix.c", "#include <unistd.h>\nstatic int a = sysconf(1);\n")
        self.write("src/base/compiler.h", "#pragma once\n#define TD_NOINLINE __attribute__((noinline))\n")
        self.assertEqual(self.run_tool().returncode, 0, self.run_tool().stdout)
        self.write("src/base/clock.c", "#include <time.h>\n#include <unistd.h>\nlong a(void);\nlong a(void)\n{\n    return sysconf(1);\n}\n")
        self.write("src/base/hint.c", "static __attribute__((noinline)) int hint;\n")
        found = self.run_tool().stdout
        self.assertIn("clock.c:4: <unistd.h> belongs to the platform layer", found)
        self.assertIn("sysconf belongs to the platform layer", found)
        self.assertIn("hint.c:3: __attribute__ belongs to compiler.h", found)
        self.assertNotIn("<time.h>", found)

    def test_extensions_and_programs_of_systems(self):
        cases = {
            "int a = ({ int b = 1; b; });": "({ int b = 1;",
            "#pragma GCC optimize(3)": "#pragma GCC",
            "#if defined(__GNUC__)\n#endif": "__GNUC__",
            "static __int128 wide;": "__int128",
            'static const char* a = "/proc/self/exe";': "/proc/self/exe",
            'static const char* a = "xdg-open";': "xdg-open",
        }
        for text, name in cases.items():
            self.write("src/base/hint.c", text + "\n")
            self.assertIn(name, self.run_tool().stdout)
        self.write("src/base/hint.c", "// Not __GNUC__ and not /proc/self.\nstatic int a = (1);\n")
        self.assertEqual(self.run_tool().returncode, 0, self.run_tool().stdout)

    def run_tool(self, *arguments):
        return subprocess.run(
            [sys.executable, "-B", str(TOOL), *arguments, str(self.root)], capture_output=True, text=True, check=False
        )

    def expect(self, *messages):
        """The tool reports these problems and no others."""
        result = self.run_tool()
        lines = result.stdout.splitlines()
        self.assertEqual(result.returncode, 1 if messages else 0, result.stdout + result.stderr)
        if messages:
            self.assertEqual(lines[-1], f"{len(messages)} problems", result.stdout)
            for message in messages:
                self.assertTrue(any(message in line for line in lines), f"{message!r} is not in\n{result.stdout}")

    def test_sound_tree(self):
        self.write("src/math/a.h", "int tdA(void);\n")
        self.write("src/math/a.c", '#include "a.h"\n#include "base/b.h"\nint tdA(void)\n{\n    return TD_B;\n}\n')
        self.write("src/base/b.h", '#include "tendon/physics.h"\n#define TD_B 1\n')
        self.expect()

    def test_root(self):
        self.write("crash-1234", "")
        self.write("--help/tendon.c", "")
        self.expect()
        for command in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", "-C", str(self.root), *command], check=True)
        self.expect("crash-1234: the root holds no such", "--help: the root holds no such")

    def test_direct_include(self):
        self.write("src/base/a.c", '#include "math/b.h"\n')
        self.write("src/math/b.h", "")
        self.expect("src/base/a.c:3: base may not include src/math/b.h")

    def test_inl_file(self):
        self.write("src/json/a.inl", '\n#include "math/b.h"\n')
        self.write("src/math/b.h", "")
        self.expect("src/json/a.inl:4: json may not include src/math/b.h")

    def test_chain_of_headers(self):
        # output may include runtime, and runtime may include physics, but output may not see physics through it.
        self.write("src/physics/world/p.h", "")
        self.write("src/runtime/r.h", '#include "physics/world/p.h"\n')
        self.write("src/runtime/q.h", '#include "r.h"\n')
        self.write("src/output/a.c", '#include "runtime/q.h"\n')
        self.expect(
            "output may not reach src/physics/world/p.h: "
            "src/output/a.c > src/runtime/q.h > src/runtime/r.h > src/physics/world/p.h"
        )

    def test_parent_folder(self):
        self.write("src/math/a.c", '#include "../base/b.h"\n')
        self.write("src/base/b.h", "")
        self.expect('write "module/file.h" instead of "../base/b.h"')

    def test_engine_and_public_headers(self):
        self.write("src/geometry/a.c", '#include "tendon/asset.h"\n')
        self.expect("src/geometry/a.c:3: the engine may not include tendon/asset.h")

    def test_engine_through_a_public_header(self):
        self.write("include/tendon/physics.h", '#include "asset.h"\n')
        self.write("src/geometry/a.c", '#include "tendon/physics.h"\n')
        self.expect(
            "include/tendon/physics.h:3: a header of the engine may not include asset.h",
            "geometry may not reach include/tendon/asset.h",
        )

    def test_public_header(self):
        self.write("include/tendon/asset.h", '#include "scene/s.h"\n')
        self.write("src/scene/s.h", "")
        self.expect("include/tendon/asset.h:3: a public header may not include src/scene/s.h")

    def test_programs(self):
        self.write("src/base/b.h", "")
        for folder in ("cli", "examples", "web/wasm"):
            self.write(f"{folder}/a.c", '#include "base/b.h"\n')
        self.expect(
            "cli/a.c:3: cli may not include src/base/b.h",
            "examples/a.c:3: examples may not include src/base/b.h",
            "web/wasm/a.c:3: web/wasm may not include src/base/b.h",
        )

    def test_new_folder(self):
        self.write("src/sound/a.c", "")
        self.expect("folder sound is not in the table")

    def test_missing_folder(self):
        (self.root / "src/json/file_of_json.c").unlink()
        self.expect("there is no source in src/json")

    def test_table_of_the_page(self):
        page = self.root / "docs/architecture.md"
        page.write_text(page.read_text(encoding="utf-8").replace("| `math` | base |", "| `math` | base, json |"), encoding="utf-8")
        self.expect("docs/architecture.md: the include table is out of date")

    def test_page_without_table(self):
        (self.root / "docs/architecture.md").write_text("# Page\n", encoding="utf-8")
        self.expect("docs/architecture.md: the include table is out of date")

    def test_function_of_another_source(self):
        self.write("src/math/a.h", "/// Returns b.\nint tdB(int x,\n        int y);\n")
        self.write("src/math/b.c", "int tdB(int x, int y)\n{\n    return x + y;\n}\n")
        self.expect("src/math/a.h:4: declares tdB, which src/math/b.c defines")

    def test_function_of_another_folder(self):
        self.write("src/math/a.h", "int tdB(void);\n")
        self.write("src/base/a.c", "int tdB(void)\n{\n    return 1;\n}\n")
        self.expect("src/math/a.h:3: declares tdB, which src/base/a.c defines")

    def test_function_of_a_width(self):
        self.write("src/math/a.h", "int tdWide(void);\nint tdNarrow(void);\n")
        self.write("src/math/a_avx2.c", "static int Twice(void)\n{\n}\nint tdWide(void)\n{\n}\n")
        self.write("src/math/a_sse2.c", "static int Twice(void)\n{\n}\nint tdNarrow(void)\n{\n}\n")
        self.expect()

    def test_header_of_a_width(self):
        self.write("src/math/a_avx2.h", "int tdWide(void);\n")
        self.write("src/math/a_avx2.c", "int tdWide(void)\n{\n}\n")
        self.expect()

    def test_function_declared_by_its_type(self):
        self.write("src/math/a.h", "tdFcn tdOne, tdTwo;\n")
        self.write("src/math/b.c", "int tdOne(void)\n{\n}\nint tdTwo(void)\n{\n}\n")
        self.expect("declares tdOne, which src/math/b.c", "declares tdTwo, which src/math/b.c")

    def test_function_for_another_system(self):
        self.write("src/base/file.h", "int tdRead(void);\n")
        self.write("src/base/file.c", "static int Help(void)\n{\n}\nint tdRead(void)\n{\n}\n")
        self.write("src/base/file_none.c", "static int Help(void)\n{\n}\nint tdRead(void)\n{\n}\n")
        self.expect()

    def test_static_functions_of_one_name(self):
        self.write("src/math/a.c", "static int Help(void)\n{\n    return 1;\n}\n")
        self.write("src/json/b.c", "// Help is a word here.\nstatic float Help(int x)\n{\n    return x;\n}\n")
        self.expect("Help is function of several files: src/json/b.c:4, src/math/a.c:3")

    def test_types_of_one_name(self):
        self.write("src/math/a.c", "typedef struct Piece\n{\n    int x;\n} Piece;\n")
        self.write("src/json/b.h", "struct Piece\n{\n    float y;\n};\n")
        self.expect("Piece is type of several files: src/json/b.h:3, src/math/a.c:3")

    def test_forward_declaration(self):
        self.write("src/math/a.h", "typedef struct tdThing tdThing;\n")
        self.write("src/math/a.c", "struct tdThing\n{\n    int x;\n};\n")
        self.expect()

    def test_constants_of_one_name(self):
        self.write("src/math/a.c", "enum\n{\n    LEFT = (1 << 2),\n    RIGHT\n};\n")
        self.write("src/json/b.c", "enum Side\n{\n    RIGHT,\n};\n")
        self.expect("RIGHT is constant of several files: src/json/b.c:5, src/math/a.c:6")

    def test_variables_and_macros_of_one_name(self):
        self.write("src/math/a.c", "static const int limit[] = {1, 2};\n#define MAX 3\n")
        self.write("src/json/b.c", "static int limit;\n#define MAX 4\n")
        self.expect("limit is variable of several files", "MAX is macro of several files")

    def test_list_that_is_expanded_twice(self):
        self.write("src/math/a.h", "#define ITEM(x) x,\n#undef ITEM\n")
        self.write("src/math/a.c", "#define ITEM(x) #x,\n#undef ITEM\n")
        self.expect()

    def test_local_names(self):
        self.write("src/math/a.c", "static int One(void)\n{\n    int count = 1;\n    return count;\n}\n")
        self.write("src/json/b.c", "static int Two(void)\n{\n    int count = 2;\n    return count;\n}\n")
        self.expect()

    def test_license_and_length(self):
        self.write("src/math/a.c", "\n", head="")
        self.write("src/math/b.inl", "\n" * 1000)
        self.expect("src/math/a.c: the SPDX lines are missing", "src/math/b.inl: more than 1000 lines")


if __name__ == "__main__":
    unittest.main()
