# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Reads C sources lexically for tools/check_layers and tools/amalgamate: includes, and the names at file scope.
#
# It relies on the style of this tree (clang-format, no K&R definitions, no macros that open a brace) and treats all
# branches of #if alike, so it needs no compiler and no flags.
import re
from dataclasses import dataclass
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")
WORD = re.compile(r"[A-Za-z_]\w*$")
NOT_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.M)


@dataclass(frozen=True)
class Name:
    """A name at file scope.

    kind: function (with a body), prototype, variable, type (with a body, or an alias of a basic type), forward (a struct
    without its body), constant (of an enum), macro.
    """

    name: str
    kind: str
    line: int
    is_static: bool = False


def strip_comments(text):
    """The text with comments blanked and string contents emptied; line numbers stay."""

    def blank(match):
        found = match.group(0)
        if found[0] == '"':
            return '""'
        if found[0] == "'":
            return "' '"
        return "\n" * found.count("\n") or " "

    return NOT_COMMENT.sub(blank, text)


def list_includes(text):
    """(line, target, is_system) of each #include."""
    found = []
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(0)) + 1
        found.append((line, match.group(1) or match.group(2), match.group(1) is None))
    return found


def skip_group(tokens, at):
    """Index after the parenthesis, bracket or brace that opens at `at`."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    opening, closing, depth = tokens[at][0], pairs[tokens[at][0]], 0
    while at < len(tokens):
        if tokens[at][0] == opening:
            depth += 1
        elif tokens[at][0] == closing:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return at


def list_names(text):
    """All names that a file declares or defines at file scope, as a list of Name."""
    text = strip_comments(text)
    names = [Name(m.group(1), "macro", text.count("\n", 0, m.start(1)) + 1) for m in DEFINE.finditer(text)]
    text = DIRECTIVE.sub(lambda m: "\n" * m.group(0).count("\n"), text)
    tokens, line, at = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        tokens.append((match.group(0), line))

    i = 0
    while i < len(tokens):
        if tokens[i][0] in ("}", ";"):
            i += 1
            continue
        if tokens[i][0] == "extern" and [t[0] for t in tokens[i + 1 : i + 4]] == ['"', '"', "{"]:
            i += 4
            continue
        i = read_declaration(tokens, i, names)
    return names


def read_declaration(tokens, i, names):
    """Reads one declaration or definition that starts at i; returns the index after it."""
    head, is_typedef, is_static, has_value = [], False, False, False
    parameters_at = None
    while i < len(tokens):
        word, line = tokens[i]
        if word in ("__attribute__", "_Static_assert", "_Alignas", "__declspec"):
            is_assert = word == "_Static_assert"
            i = skip_group(tokens, i + 1)
            if is_assert:
                head = []
            continue
        if word == "typedef":
            is_typedef = True
        elif word in ("static", "TD_SIMD_INLINE", "TD_SIMD_SHARED"):
            is_static = True
        elif word == "=":
            has_value = True
        if word == ";":
            add_declared(head, is_typedef, is_static, parameters_at, names)
            return i + 1
        if word == "{":
            if has_value:
                i = skip_group(tokens, i)
                continue
            words = [w for w, _ in head]
            if parameters_at is not None:
                add_function(head, parameters_at, "function", is_static, names)
                return skip_group(tokens, i)
            if "struct" in words or "union" in words or "enum" in words:
                if WORD.match(words[-1]) and words[-1] not in ("struct", "union", "enum"):
                    names.append(Name(words[-1], "type", head[-1][1]))
                end = skip_group(tokens, i)
                if "enum" in words:
                    add_constants(tokens[i + 1 : end - 1], names)
                head = head[:1] + [("body", line)]
                i = end
                continue
            return skip_group(tokens, i)  # a block that nothing here understands
        if word == "(" and not has_value:
            # `typedef void (*name)(...)` declares the name inside the first parenthesis.
            if i + 1 < len(tokens) and tokens[i + 1][0] == "*" and WORD.match(tokens[i + 2][0]):
                head.append(tokens[i + 2])
                i = skip_group(tokens, i)
                if i < len(tokens) and tokens[i][0] == "(":
                    i = skip_group(tokens, i)
                continue
            if parameters_at is None and head and WORD.match(head[-1][0]):
                parameters_at = len(head) - 1
            i = skip_group(tokens, i)
            continue
        if word == "[":
            i = skip_group(tokens, i)
            continue
        head.append((word, line))
        i += 1
    return i


def add_constants(tokens, names):
    expects = True
    depth = 0
    for word, line in tokens:
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
        elif word == "," and depth == 0:
            expects = True
        elif expects and WORD.match(word):
            names.append(Name(word, "constant", line))
            expects = False


def add_function(head, at, kind, is_static, names):
    names.append(Name(head[at][0], kind, head[at][1], is_static))


def add_declared(head, is_typedef, is_static, parameters_at, names):
    words = [w for w, _ in head]
    if not words:
        return
    if is_typedef:
        at = len(words) - 1
        is_forward = len(words) == 4 and words[1] in ("struct", "union") and words[2] == words[3]
        if not (words[1] == "body" and any(n.name == words[at] and n.kind == "type" for n in names)):
            names.append(Name(words[at], "forward" if is_forward else "type", head[at][1]))
        return
    if parameters_at is not None and "=" not in words[:parameters_at]:
        add_function(head, parameters_at, "prototype", is_static, names)
        return
    if "=" in words:
        head = head[: words.index("=")]
        words = words[: len(head)]
    if len(words) == 2 and words[0] in ("struct", "union", "enum"):
        return  # a forward declaration
    if not words or "extern" in words:
        return
    ends = [at - 1 for at, word in enumerate(words) if word == ","] + [len(words) - 1]
    for at in ends:  # `int a, b;` declares both
        if WORD.match(words[at]) and words[at] != "body":
            names.append(Name(words[at], "variable", head[at][1], is_static))


def find_sources(root, *folders, suffixes=(".c", ".h", ".inl", ".def")):
    """Sources below folders of root as sorted paths relative to it."""
    found = []
    for folder in folders:
        found += [p.relative_to(root) for p in Path(root, folder).rglob("*") if p.suffix in suffixes and p.is_file()]
    return sorted(found, key=str)


def resolve_include(root, source, target):
    """The file of the tree that `#include "target"` in source names, relative to root; None when there is none."""
    for candidate in (Path(source).parent / target, Path("src") / target, Path("include") / target):
        if Path(root, candidate).is_file():
            return Path(*[p for p in Path(candidate).parts if p != "."])
    return None
