# SPDX-License-Identifier: MIT OR Apache-2.0
"""Keeps keys out of tracebacks, which some tools print with the variables of frames."""

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
    """Removes the tracebacks of the error, of its causes and of the errors in whose handling these
    were raised, but not of the error that the caller was handling."""
    left: list[BaseException | None] = [error]
    seen = {id(outside)}  # An error can be its own cause.
    while left:
        link = left.pop()
        if link is not None and id(link) not in seen:
            seen.add(id(link))
            link.__traceback__ = None
            left += [link.__cause__, link.__context__]
    return error


def redacted(function: Callable[P, T]) -> Callable[P, T]:
    """Decorates a function that takes keys: its errors are raised from a frame without its
    arguments, and tracebacks do not show the calls below it."""

    @functools.wraps(function)
    def call(*arguments: P.args, **parameters: P.kwargs) -> T:
        outside = sys.exception()
        try:
            return function(*arguments, **parameters)
        except BaseException as error:  # Includes KeyboardInterrupt.
            wrong = _without_frames(error, outside)
        del arguments, parameters
        raise wrong

    return call
