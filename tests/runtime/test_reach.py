"""Why a line never ran."""

import ast

import pytest

from runtime_checks.reach import way_to

TEXT = '''"""Documentation."""
import jax

def never():
    """Documentation."""
    x = 1
    return x  # 7

def called(a):
    b = a
    if a > 3:
        b = 2  # 12
    elif a < -3:
        b = 3  # 14
    else:
        b = 4
        b = 5  # 17
    for i in range(a):
        b += i  # 19
    try:
        b = int("1")
    except ValueError:
        b = 6  # 23
    if b:
        return b
        b = 7  # 26
    while b: b = 8  # 27
    return b  # 28

called(0)
if jax is None:
    print()  # 32
'''
# how often each counted line ran: `called` once, with its `else`
RAN = {2: 1, 4: 1, 9: 1, 10: 1, 11: 1, 13: 1, 16: 1, 17: 0, 18: 1, 20: 1, 21: 1, 24: 1, 25: 1, 30: 1, 31: 1}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (7, "`never` was never called"),
        (12, "`if a > 3` was never true (line 11 ran once)"),
        (14, "`if a < -3` was never true (line 13 ran once)"),
        (17, "the block at line 16 was entered once and left before this line"),
        (19, "the loop had nothing to go through (line 18 ran once)"),
        (23, "nothing raised what this `except` catches (line 20 ran once)"),
        (26, "the block at line 25 was entered once and left before this line"),
        (27, ""),
        (28, "`called` was called once and left before this line"),
        (32, "`if jax is None` was never true (line 31 ran once)"),
    ],
)
def test_the_reason_is_the_innermost_that_is_known(row, words):
    way = way_to(ast.parse(TEXT), row)
    assert way.explain(lambda rows: RAN.get(rows[0]) or None) == words


def test_a_file_that_nobody_loaded():
    assert way_to(ast.parse(TEXT), 32).explain(lambda rows: None) == "the file was never loaded"
    assert way_to(ast.parse(TEXT), 12).explain(lambda rows: None) == "`called` was never called"


def test_what_is_counted_for_it():
    assert way_to(ast.parse(TEXT), 14).rows() == [(10, 10), (13, 13), (14, 14), (11, 11), (13, 13)]
