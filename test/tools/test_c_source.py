# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# The lexical reader that tools/check_layers and tools/amalgamate share.
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True
from c_source import list_includes, list_names


class ListNames(unittest.TestCase):
    def expect(self, text, *expected):
        found = [(n.name, n.kind) for n in list_names(text)]
        self.assertEqual(found, list(expected))

    def test_functions(self):
        self.expect("static inline int Get(int (*f)(void), char c[2]) { return 1; }", ("Get", "function"))
        self.expect("TD_API void tdA(void);\nint tdB(\n    int x);", ("tdA", "prototype"), ("tdB", "prototype"))
        self.expect("static __attribute__((noinline, unused)) int Get(void) { if (a) { } }", ("Get", "function"))

    def test_static(self):
        self.assertTrue(list_names("TD_SIMD_INLINE int Get(void) { }")[0].is_static)
        self.assertFalse(list_names("int Get(void) { }")[0].is_static)

    def test_types(self):
        self.expect("typedef struct A { struct { int x; } b; } A;", ("A", "type"))
        self.expect("typedef struct A A;\nstruct B;", ("A", "forward"))
        self.expect("typedef struct { int x; } C;", ("C", "type"))
        self.expect("typedef void (*Fcn)(int x);\ntypedef int Gcn(void);", ("Fcn", "type"), ("Gcn", "type"))
        self.expect("typedef tdArray(int) Numbers;", ("Numbers", "type"))
        self.expect("typedef float Wide __attribute__((vector_size(16)));", ("Wide", "type"))

    def test_enums(self):
        self.expect("enum { ONE = MAX(1, 2), TWO };", ("ONE", "constant"), ("TWO", "constant"))
        self.expect("typedef enum E { ONE } E;", ("E", "type"), ("ONE", "constant"))

    def test_variables(self):
        self.expect('static const char* const names[] = {"{", "a;b"};', ("names", "variable"))
        self.expect("static const T table = {.f = Get, .n = sizeof(int)};", ("table", "variable"))
        self.expect("extern const int shared;")
        self.expect("tdFcn tdA, tdB;", ("tdA", "variable"), ("tdB", "variable"))

    def test_text_that_is_no_code(self):
        self.expect('// int a;\n/* int b; */ static const char q = \'"\'; // "', ("q", "variable"))
        self.expect("#define A(x) \\\n    int x; \\\n    int y\n#if 1\nint Get(void) { }\n#endif", ("A", "macro"), ("Get", "function"))
        self.expect('_Static_assert(sizeof(int) == 4, "x");')
        self.expect('#ifdef __cplusplus\nextern "C"\n{\n#endif\nint tdA(void);\n}', ("tdA", "prototype"))

    def test_lines(self):
        self.assertEqual([n.line for n in list_names("/* a\n b */\n\nint Get(void) { }\n")], [4])


class ListIncludes(unittest.TestCase):
    def test_includes(self):
        text = '#include "a/b.h"\n#  include <c.h>\nint x;\n'
        self.assertEqual(list_includes(text), [(1, "a/b.h", False), (2, "c.h", True)])


if __name__ == "__main__":
    unittest.main()
