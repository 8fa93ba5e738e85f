# SPDX-License-Identifier: MIT OR Apache-2.0
"""Keeps keys out of tracebacks, whose frames may be printed with their variables."""

from __future__ import annotations

import functools
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")


def _without_frames(error: BaseException, outside: BaseException | None) -> BaseException:
    """The error, and those that it came from, without their tracebacks; but for the one that the
    caller was handling."""
    link: BaseException | None = error
    while link is not None and link is not outside:
        link.__traceback__ = None
        link = link.__cause__ or link.__context__
    return error


def unseen(function: Callable[P, T]) -> Callable[P, T]:
    """The function, whose errors come from a frame without its arguments. For functions that are
    given keys: the traceback does not show what they call."""

    @functools.wraps(function)
    def call(*arguments: P.args, **parameters: P.kwargs) -> T:
        outside = sys.exception()
        try:
            return function(*arguments, **parameters)
        except BaseException as error:  # An interrupt, too.
            wrong = _without_frames(error, outside)
        del arguments, parameters
        raise wrong

    return call
