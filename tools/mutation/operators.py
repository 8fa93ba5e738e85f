# SPDX-License-Identifier: MIT OR Apache-2.0
"""The faults that a source file allows: each changes one check or one arithmetic operation.

    turned      swaps < and <=, > and >=, == and !=
    off by one  changes an integer in a comparison, sum, product, shift or range, or a constant
    dropped     drops one side of && or ||, or a negation; never takes an if that ends in an error
    sign        swaps + and -
    limit       swaps min and max, and other calls that have an opposite
    omitted     omits a statement that is a call or an assignment; in Python, a call

The order and names of the faults depend only on the file.
"""

import dataclasses
import re

import tree_sitter
import tree_sitter_c
import tree_sitter_python
import tree_sitter_rust

TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
          "is": "is not", "is not": "is", "in": "not in", "not in": "in"}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
LOGICAL = {"&&", "||", "and", "or"}
NUMERIC = {"<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "%", "//", "<<", ">>"}
OPPOSITE_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any",
                  "checked_add": "checked_sub", "checked_sub": "checked_add",
                  "is_some": "is_none", "is_none": "is_some", "is_ok": "is_err",
                  "is_err": "is_ok"}
BINARY = {"binary_expression", "binary_operator", "boolean_operator", "comparison_operator",
          "assignment_expression", "compound_assignment_expr", "augmented_assignment"}
NUMBERS = {"number_literal", "integer_literal", "integer"}
STRINGS = {"string_literal", "string", "concatenated_string", "raw_string_literal"}
FUNCTIONS = {"function_definition", "function_item"}
CALLS = {"call_expression", "call"}
ASSIGNMENTS = {"assignment_expression", "compound_assignment_expr", "update_expression"}
# Nodes that compilers evaluate.
CONSTANTS = {"const_item", "static_item", "const_block", "array_type", "enum_variant",
             "enumerator", "bitfield_clause", "attribute_specifier"}
# Nodes of Python that no conditional expression can replace.
NO_EXPRESSIONS = {"augmented_assignment", "slice"}

# An if ends in an error if its body is at most this long and contains this.
ERROR_BODY_MAX = 400
ERRORS = {".c": r"FIN_ERR|return (false|NULL|0|status)\b", ".h": r"FIN_ERR|return (false|NULL|0)\b",
          ".rs": r"\bErr\(|return (None|false)\b|\bNone\s*}|panic!|bail!",
          ".py": r"\braise\b|return (None|False)\b"}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A fault: file[start:end] becomes text. The expression is file[first:last]; unless it is
    constant, a program can choose at run time between it and the changed one."""

    file: str
    line: int
    column: int
    function: str
    operator: str
    start: int
    end: int
    text: bytes
    before: str
    after: str
    first: int
    last: int
    constant: bool
    nth: int = 1  # among those in the function that look the same

    @property
    def key(self):
        """Returns the fault's name in tests/mutants, without its line, which may move."""
        return self.file, self.function, self.before, self.after, self.nth

    def __str__(self):
        return (f"{self.file}:{self.line}:{self.column} {self.function}: {self.operator}: "
                f"{self.before} -> {self.after}")


class Language:
    """A parser, and the language's words for false, not and nothing."""

    def __init__(self, module, false, true, no, nothing):
        self.parser = tree_sitter.Parser(tree_sitter.Language(module.language()))
        self.false, self.true, self.no, self.nothing = false, true, no, nothing


C = Language(tree_sitter_c, "false && (%s)", "true || (%s)", "!", "(void)0")
# In Rust, a choice between a call and nothing must have the call's type.
RUST = Language(tree_sitter_rust, "false && (%s)", "true || (%s)", "!", "Default::default()")
PYTHON = Language(tree_sitter_python, "False and (%s)", "True or (%s)", "not", "None")
LANGUAGES = {".c": C, ".h": C, ".rs": RUST, ".py": PYTHON}


def plain(text):
    """Returns the text on one line."""
    return re.sub(r"\s+", " ", text.decode("utf-8", "replace")).strip()


class Finder:
    """Finds the faults of one file."""

    def __init__(self, path, name):
        self.name = name
        self.kind = path.suffix
        self.language = LANGUAGES[path.suffix]
        self.source = path.read_bytes()
        self.found = []

    def mutants(self):
        """Returns all faults of the file; those that look the same in a function are numbered."""
        self.visit(self.language.parser.parse(self.source).root_node, "")
        numbers, result = {}, []
        for mutant in self.found:
            number = numbers[mutant.key] = numbers.get(mutant.key, 0) + 1
            result.append(dataclasses.replace(mutant, nth=number))
        return result

    def add(self, operator, function, shown, start, end, text):
        """Adds a fault that replaces start to end by text; reports display the node shown."""
        text = text.encode()
        changed = (self.source[shown.start_byte:start] + text + self.source[end:shown.end_byte])
        line = self.source.count(b"\n", 0, start) + 1
        column = start - self.source.rfind(b"\n", 0, start)
        self.found.append(Mutant(self.name, line, column, function, operator, start, end, text,
                                 plain(shown.text), plain(changed), shown.start_byte,
                                 shown.end_byte, self.is_constant_here(shown)))

    @staticmethod
    def is_constant_here(node):
        """Returns true in a constant, a constant function, the length of an array, a label."""
        if node.type in NO_EXPRESSIONS:
            return True
        below = node
        while node is not None:
            is_length = below in [node.child_by_field_name(name) for name in ("length", "size")] \
                or node.type == "case_statement" and below == node.child_by_field_name("value")
            is_static = node.type == "declaration" and \
                any(child.text == b"static" for child in node.children)
            is_function = any(child.type == "function_modifiers" and b"const" in child.text
                              for child in node.children)
            if node.type in CONSTANTS or is_length or is_static or is_function:
                return True
            if node.type in FUNCTIONS:
                return False
            below, node = node, node.parent
        return True

    def visit(self, node, function):
        if node.type == "init_declarator" and b"FIN_HAS_" in node.text:
            return  # as it already is
        if node.type in FUNCTIONS:
            function = self.name_of(node) or function
        if node.type in BINARY:
            self.binary(node, function)
        elif node.type in NUMBERS:
            self.number(node, function)
        elif node.type in {"unary_expression", "not_operator"}:
            self.negation(node, function)
        elif node.type in {"if_statement", "if_expression", "elif_clause"}:
            self.error(node, function)
        elif node.type == "conditional_expression" and self.language is C:
            self.choice(node, function)
        elif node.type in CALLS:
            self.call(node, function)
        elif node.type == "expression_statement" and node.named_children:
            self.statement(node, function)
        tests = False
        for child in node.children:
            if child.type == "attribute_item":
                tests = tests or re.search(rb"#\[(cfg\(test\)|test\b)", child.text) is not None
                continue
            if not tests and not self.is_left_out(node, child):
                self.visit(child, function)
            tests = tests and child.type in {"line_comment", "block_comment"}

    def is_left_out(self, node, child):
        """Returns true for nodes that are not executed: conditions of #if, static assertions."""
        if node.type in {"preproc_if", "preproc_elif"}:
            return child == node.child_by_field_name("condition")
        return (child.type in {"preproc_def", "preproc_function_def", "static_assert_declaration"}
                or child.text.startswith((b"_Static_assert", b"static_assert")))

    def name_of(self, node):
        named = node.child_by_field_name("name")
        while named is None and node is not None:
            node = node.child_by_field_name("declarator")
            if node is not None and node.type == "identifier":
                named = node
        return plain(named.text) if named is not None else ""

    def binary(self, node, function):
        for sign in node.children:
            if sign.type in TURNED and sign.type in NUMERIC | {"is", "is not", "in", "not in"}:
                if self.is_limit(node, sign):
                    self.swap("limit", function, node, sign, MIRRORED[sign.type])
                else:
                    self.swap("turned", function, node, sign, TURNED[sign.type])
            elif sign.type in SIGNS and not any(child.type in STRINGS for child in node.children):
                self.swap("sign", function, node, sign, SIGNS[sign.type])
            elif sign.type in LOGICAL and not self.is_inside(node, sign.type):
                self.sides(node, sign.type, function)

    def swap(self, operator, function, shown, old, new):
        self.add(operator, function, shown, old.start_byte, old.end_byte, new)

    @staticmethod
    def is_inside(node, sign):
        """Returns true for a && b in a && b && c."""
        around = node.parent.child_by_field_name("operator")
        return around is not None and around.type == sign

    def sides(self, node, sign, function):
        """Drops each side of a && b && c in turn."""
        operands, left = [], node
        while left.type == node.type and left.child_by_field_name("operator").type == sign:
            operands.insert(0, left.child_by_field_name("right"))
            left = left.child_by_field_name("left")
        operands.insert(0, left)
        for i, operand in enumerate(operands):
            start = operands[i - 1].end_byte if i else operand.start_byte
            end = operand.end_byte if i else operands[1].start_byte
            if not operand.type.startswith("let_"):
                self.add("dropped", function, node, start, end, "")

    @staticmethod
    def is_limit(node, sign):
        """Returns true in a < b ? a : b, where <= makes no difference."""
        parent = node.parent
        while parent is not None and parent.type == "parenthesized_expression":
            parent = parent.parent
        if sign.type not in MIRRORED or parent is None or parent.type != "conditional_expression":
            return False
        sides = {plain(node.children[0].text), plain(node.children[-1].text)}
        branches = [parent.child_by_field_name(name) for name in ("consequence", "alternative")]
        return all(branch is not None for branch in branches) and \
            sides == {plain(branch.text) for branch in branches}

    def number(self, node, function):
        parent = node.parent
        while parent.type == "parenthesized_expression":
            parent = parent.parent
        signs = [child.type for child in parent.children if child.type in NUMERIC]
        is_alone = parent.type in {"range_expression", "slice"} or self.is_constant(parent)
        if not (parent.type in BINARY and signs) and not is_alone:
            return
        written = re.fullmatch(rb"(0[xX][0-9a-fA-F_]+?|[0-9][0-9_]*)((?:[uU]?[lL]{0,2}|[iu]"
                               rb"(?:8|16|32|64|128|size))?)", node.text)
        if written is None:
            return
        value = int(written[1].replace(b"_", b""), 0)
        # Choose the direction that differs from turning the comparison.
        down = signs[:1] in (["<"], [">="]) and node == parent.children[-1] and value > 0
        value += -1 if down else 1
        text = hex(value) if written[1][:2] in (b"0x", b"0X") else str(value)
        self.swap("off by one", function, parent, node, text + written[2].decode())

    def is_constant(self, node):
        """Returns true for a constant's definition."""
        named = node.child_by_field_name("left")
        return node.type in {"enumerator", "const_item"} or \
            node.type == "assignment" and re.fullmatch(rb"_?[A-Z][A-Z0-9_]*", named.text)

    def negation(self, node, function):
        operand = node.children[-1]
        if node.children[0].type == self.language.no:
            self.add("dropped", function, node, node.start_byte, node.end_byte,
                     operand.text.decode())

    def error(self, node, function):
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("consequence")
        if condition is None or body is None or len(body.text) > ERROR_BODY_MAX:
            return
        if b"let " in condition.text or not re.search(ERRORS[self.kind].encode(), body.text):
            return
        if condition.type == "parenthesized_expression" and self.language is C:
            condition = condition.named_children[-1]
        self.add("dropped", function, condition, condition.start_byte, condition.end_byte,
                 self.language.false % condition.text.decode())

    def choice(self, node, function):
        """Makes a conditional whose one value is an error always yield the other one."""
        condition = node.child_by_field_name("condition")
        for name, always in (("consequence", self.language.false),
                             ("alternative", self.language.true)):
            branch = node.child_by_field_name(name)
            if branch is not None and re.match(rb"FIN_ERR", branch.text):
                self.add("dropped", function, condition, condition.start_byte, condition.end_byte,
                         f"({always % condition.text.decode()})")

    def statement(self, node, function):
        if self.language is C and not function:
            return  # a macro that defines functions
        done = node.named_children[0]
        if b"prefetch" in done.text:
            return  # affects only the time
        if (done.named_children[0] if done.type == "try_expression" else done).type in \
                CALLS | ASSIGNMENTS:
            self.add("omitted", function, done, done.start_byte, done.end_byte,
                     self.language.nothing)

    def call(self, node, function):
        called = node.child_by_field_name("function")
        if called is None:
            return
        name = called.child_by_field_name("field") or called
        text = plain(name.text)
        if text in OPPOSITE_CALLS and self.language is not C:
            self.swap("limit", function, node, name, OPPOSITE_CALLS[text])


def mutants_of(root, name):
    """Returns the faults of the file root/name, in the order of its text."""
    return sorted(Finder(root / name, name).mutants(), key=lambda m: (m.start, m.end, m.text))
